"""The course as pages that work in any browser, with nothing installed: `qkv site`."""
