"""The person's end of a terminal: `kairos chat`, and what `kairos say` shares with it. The bot's end is a channel."""
