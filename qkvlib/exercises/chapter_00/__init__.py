"""Chapter 0, Start here."""

ORDER = ("queries",)
