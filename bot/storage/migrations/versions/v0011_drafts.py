"""Which message shows an answer that is not whole yet."""

from alembic import op

from bot.storage.tables import drafts, metadata

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Make the table, unless the first version has made it with all others."""
    metadata.create_all(op.get_bind(), tables=[drafts], checkfirst=True)
