"""`python -m bot.cli` is `kairos`."""

from bot.cli import main

main()
