"""The teaching wing in a web page: what of it is packed for Python there, and who judges there."""
