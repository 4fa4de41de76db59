"""Edits of pictures in one journal, where only single moves were; titles people gave, the bin, albums' receipts."""

import json

import sqlalchemy as sa
from alembic import op

from bot.storage.tables import filings, metadata, picture_edits

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table, take over the moves, add the columns."""
    connection = op.get_bind()
    metadata.create_all(connection, tables=[picture_edits], checkfirst=True)
    looked = sa.inspect(connection)
    known = {column["name"] for column in looked.get_columns("filings")}
    for name in ("renamed", "binned_at", "receipt"):
        if name not in known:
            column = filings.c[name]
            op.add_column(
                "filings",
                sa.Column(name, column.type, nullable=column.nullable, server_default=column.server_default),
            )
    if not looked.has_table("moves"):
        return
    for row in connection.execute(
        sa.text("SELECT id, person, filing, old, new, at, undone FROM moves")
    ).all():
        step = {"filing": row.filing, "before": {"category": row.old}, "after": {"category": row.new}}
        statement = sa.text(
            "INSERT INTO picture_edits (id, person, kind, steps, at, undone) VALUES (:i, :p, 'move', :s, :a, :u)"
        )
        values = {"i": row.id, "p": row.person, "s": json.dumps([step]), "a": row.at, "u": row.undone}
        connection.execute(statement, values)
    op.drop_table("moves")
