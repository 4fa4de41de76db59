"""What a person has been told once."""

from alembic import op

from bot.storage.tables import metadata, told

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table, unless the first version has made it with all others."""
    metadata.create_all(op.get_bind(), tables=[told], checkfirst=True)
