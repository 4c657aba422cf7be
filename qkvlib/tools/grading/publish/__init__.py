"""What people and platforms are given, written from the record: pages, tables, nbgrader."""
