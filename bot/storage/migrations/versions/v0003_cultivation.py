"""Schedules, and the runs of cultivation they make due."""

from alembic import op

from bot.storage.tables import cultivations, metadata, schedules

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Two tables; a fresh home has them from the start."""
    metadata.create_all(op.get_bind(), tables=[schedules, cultivations], checkfirst=True)
