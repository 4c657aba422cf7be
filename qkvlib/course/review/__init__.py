"""What was missed is asked again, days later: what is due, its question, and two places to answer.

`terminal.py` asks in a terminal (`qkv review`), `notebook.py` in a notebook (`review()`). Both ask
what `sitting.py` hands them. Nothing of it leaves this computer.
"""
