"""Alembic runs this file to migrate; `store.upgrade` hands over the connection and keeps its transaction."""

from __future__ import annotations

from alembic import context

from store.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    version_table=context.config.attributes["version_table"],
    target_metadata=Base.metadata,
    # SQLite cannot alter most of a table; Alembic then writes it anew.
    render_as_batch=True,
)
context.run_migrations()
