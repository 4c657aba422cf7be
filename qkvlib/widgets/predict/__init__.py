"""A choice that is committed before what happens is shown, and the table of them all."""
