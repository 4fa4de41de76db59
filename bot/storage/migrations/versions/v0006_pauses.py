"""What waits for a moment: providers that asked for patience, jobs between two tries."""

from alembic import op

from bot.storage.tables import metadata, pauses

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the table, unless the first version has made it with all others."""
    metadata.create_all(op.get_bind(), tables=[pauses], checkfirst=True)
