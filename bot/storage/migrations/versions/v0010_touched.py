"""Which pictures changed since one looked: without it, a search would have to read all of them."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables import filings

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the count, beginning with the order in which pictures came, and its index."""
    connection = op.get_bind()
    looked = sa.inspect(connection)
    if "touched" not in {column["name"] for column in looked.get_columns("filings")}:
        column = filings.c.touched
        op.add_column(
            "filings",
            sa.Column("touched", column.type, nullable=column.nullable, server_default=column.server_default),
        )
        connection.execute(filings.update().values(touched=filings.c.id))
    for name in ("filings_touched", "filings_by_day"):
        index = next(each for each in filings.indexes if each.name == name)
        index.create(connection, checkfirst=True)
