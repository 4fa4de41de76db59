"""The first tables. Later versions change them step by step; this one makes them as they stood then."""

from alembic import op

from bot.storage.tables import metadata

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table of 0.1."""
    metadata.create_all(op.get_bind())
