"""`ReadAloud`: a word, its sounds, and the letters that each sound looks at."""
