"""A fresh start is of one chat; before, it was of everything that a person had said anywhere."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables import fresh_starts, messages, metadata

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Make the table, unless the first version has made it with all others; what was begun afresh stays so."""
    connection = op.get_bind()
    metadata.create_all(connection, tables=[fresh_starts], checkfirst=True)
    known = {column["name"] for column in sa.inspect(connection).get_columns("people")}
    if "fresh_from" not in known:
        return
    people = sa.table("people", sa.column("name"), sa.column("fresh_from"))
    said = sa.select(messages.c.person, messages.c.channel, messages.c.chat, people.c.fresh_from)
    begun = said.distinct().where(messages.c.person == people.c.name, messages.c.id <= people.c.fresh_from)
    connection.execute(fresh_starts.insert().from_select(["person", "channel", "chat", "after"], begun))
    op.drop_column("people", "fresh_from")
