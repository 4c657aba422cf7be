"""One query that learns where to look, while its three weight matrices can be moved by hand."""
