"""Everything for people and platforms, written from the record: pages, tables, nbgrader."""
