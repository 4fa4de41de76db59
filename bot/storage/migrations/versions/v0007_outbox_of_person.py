"""What we said to one person is looked at every minute; without an index that reads what was said to everybody."""

from alembic import op

from bot.storage.tables import outbox

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the index, unless the first version has made it with its table."""
    index = next(each for each in outbox.indexes if each.name == "outbox_of_person")
    index.create(op.get_bind(), checkfirst=True)
