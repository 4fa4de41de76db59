"""What model calls took."""

from alembic import op

from bot.storage.tables import metadata, usage

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the table, unless the first version has made it with all others."""
    metadata.create_all(op.get_bind(), tables=[usage], checkfirst=True)
