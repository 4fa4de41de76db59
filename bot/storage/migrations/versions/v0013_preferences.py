"""What each person chose for themselves."""

from alembic import op

from bot.storage.tables import metadata, preferences

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Make the table, unless the first version has made it with all others."""
    metadata.create_all(op.get_bind(), tables=[preferences], checkfirst=True)
