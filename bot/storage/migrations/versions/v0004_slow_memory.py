"""Slow memory: how far each conversation was read, the notes, when consolidation is due."""

from alembic import op

from bot.storage.tables import consolidations, metadata, note_cursors, notes

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make its three tables."""
    metadata.create_all(op.get_bind(), tables=[note_cursors, notes, consolidations], checkfirst=True)
