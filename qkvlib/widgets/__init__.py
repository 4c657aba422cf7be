"""What a hand can move: one Python class, one JavaScript module and one stylesheet each.

The kernel owns the numbers and computes them with torch; the front end draws them and sends edits.
"""
