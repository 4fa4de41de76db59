"""How often what is still undone was begun."""

from alembic import op

from bot.storage.tables import beginnings, metadata

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Make the table, unless the first version has made it with all others."""
    metadata.create_all(op.get_bind(), tables=[beginnings], checkfirst=True)
