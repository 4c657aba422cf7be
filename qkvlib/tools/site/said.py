"""What a lesson says of its notebook, as a page says it: here nobody runs a cell."""

from __future__ import annotations

import re

SAID = {
    "Put the cursor in the cell below and press **Shift+Enter**, which runs it. Then drag": "Drag",
    "By keyboard: press Esc, then Tab until": "By keyboard: Tab until",
    "By keyboard: select the cell below, press Esc, then Tab until": "By keyboard: Tab until",
    "A notebook is a row of **cells**, with text or with code. **Shift+Enter** runs the one with "
    "the cursor in it, and goes on to the next. The cell below looks whether everything is "
    "installed that the course needs. That takes some seconds. If a line says FAIL, the command "
    "under it mends that.": "In a notebook the next line looks whether everything is installed "
    "that the course needs. This page needs nothing.",
    "come back to see how far you are: run the cell again.": "come back to see how far you are.",
    "Some cells show a **widget**": "Here and there stands a **widget**",
    "press Esc to leave the text of a cell, then Tab until": "Tab until",
    "the code above the widget is folded to one line. Click on the line to read it.": "the code "
    "is folded to one line. Click on the line to read it.",
    "After a notebook was closed and opened, a widget may say that Python does not follow, or that "
    "no kernel answers. Then run the notebook from its top (Run > Run All Cells).": "",
    "Run every cell, from the top to the bottom.": "",
    "What you have done is kept in a folder on this computer and is sent nowhere.": "What you have "
    "done is kept in this browser and is sent nowhere.",
    "The outcome comes from a cell like the next one": "The outcome comes from code like this",
    "The next cell checks it.": "In the notebook the next cell checks it.",
    "a few cells further down we measure": "a little further down we measure",
    "The next cell trains, and then asks": "The code below trains, and then asks",
    "We compare three things, each in its cell.": "We compare three things, one after the other.",
    "and the notebook keeps to it.": "and we keep to it.",
    "as far as you have gone it on this computer.": "as far as you have gone it in this browser.",
    "Write your answer in the cell below: double-click it.": "Write your answer below.",
    "in place of that line, run the cell, and then run the cell below it, which says `check`. It "
    "tries your function on many inputs.": "in place of that line, and press *Check*. It tries "
    "your function on many inputs. The first time it loads Python into this page, which takes some "
    "seconds.",
    "write `return numbers.sum()`, run both cells, and read": "write `return numbers.sum()`, press "
    "*Check*, and read",
    "Open the first under the verdict, try again, and only then open the next. None of them is the "
    "answer. Where nothing can be opened, as in a terminal, `hint` shows": "Open the first, try "
    "again, and only then open the next. None of them is the answer. In a notebook `hint` shows",
    "The next cell checks it. If you are stuck, open a hint under the verdict.": "*Check* tries "
    "it. If you are stuck, open a hint.",
    "Here is where your own function sends the numbers. (If a check says that yours is wrong, this "
    "shows the course's. To see yours, run the cell with `def split_heads`, then this one.)": ""
    "Here is where the course's own function sends the numbers.",
    "Of the five others the check cells tell you.": "Of the five others *Check* tells you.",
    "Point at one, and it says its seed and its number.": "In JupyterLab each says its seed and "
    "its number.",
    "Turn it with the pointer. The middle": "(In JupyterLab you can turn it.) The middle",
    "Press Play, or move the slider. Who was near whom": "(In JupyterLab it plays.) Who was near "
    "whom",
    "These are words that it has never seen, and the loop that speaks is yours.": "These are words "
    "that it has never seen, and the loop that speaks is your exercise's.",
    "Now put a sentence of your own in place of this one. It is split into words, and a word that "
    "is not there is named.": "In JupyterLab you can put a sentence of your own in place of this "
    "one; here we look at ours.",
    "Then try: *she wrote a letter and sang a song*, *the boy opened the door and ate the cake*. "
    "What does this head seem to do?": "What does this head seem to do?",
    "(Try other orders: `look_at` takes any.) So this head": "So this head",
    "Give it a second question, in the cell above: what do *two* fruits cost? Three things change, "
    "and `check_task` says what is still missing:": "In JupyterLab you give it a second question "
    "next: what do *two* fruits cost? Three things change, and `check_task` says what is still "
    "missing:",
    "`TwoQuestions??` in a cell of its own shows the task of chapter 9, which is this one with "
    "people and colours. And now your own, for three heads. Put it in place of the class below, "
    "which is that task unchanged.": "There `TwoQuestions??` shows the task of chapter 9, which is "
    "this one with people and colours. And then comes your own, for three heads. It takes the "
    "place of the class below, which is that task unchanged.",
}
_WHOSE = re.compile(r"^`\w+` is yours\.\n", re.MULTILINE)
# The longest first: a short one may be a part of it.
_ANY_SPACE = {
    re.compile(r"\s+".join(map(re.escape, said.split(" ")))): SAID[said]
    for said in sorted(SAID, key=len, reverse=True)
}


def as_said_here(text: str) -> str:
    """A lesson's text in the words of a page."""
    for said, here in _ANY_SPACE.items():
        text = said.sub(here, text)
    return text


def as_printed_here(text: str) -> str:
    """What a cell printed, without whose functions ran: here they were the course's."""
    return _WHOSE.sub("", text)
