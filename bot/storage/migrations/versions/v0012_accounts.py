"""Who may talk: accounts that were let in, and one-time codes; whether others read along where a message was said."""

import sqlalchemy as sa
from alembic import op

from bot.storage.tables import accounts, codes, messages, metadata

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the tables and the column, unless the first version has made them with all others."""
    connection = op.get_bind()
    metadata.create_all(connection, tables=[accounts, codes], checkfirst=True)
    known = {column["name"] for column in sa.inspect(connection).get_columns("messages")}
    if "shared" not in known:
        column = messages.c.shared
        op.add_column(
            "messages",
            sa.Column("shared", column.type, nullable=False, server_default=column.server_default),
        )
