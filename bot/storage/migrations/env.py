"""Alembic's entry: runs the versions on the connection that `open_database` hands over."""

from alembic import context

from bot.storage.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
