"""How the files in `qkvlib/data` were made. Anyone can make them again; no lesson imports this."""
