"""The course as pages that live in any browser, with nothing installed: `qkv site`."""
