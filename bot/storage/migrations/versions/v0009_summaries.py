"""The older part of each long conversation, summed up."""

from alembic import op

from bot.storage.tables import metadata, summaries

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the table, unless the first version has made it with all others."""
    metadata.create_all(op.get_bind(), tables=[summaries], checkfirst=True)
