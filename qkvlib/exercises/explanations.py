"""Questions to be answered in words. No machine judges them: an instructor reads the answers.

In a lesson the answer is a text cell that begins with the question's `opening`; the grader collects
such cells for marking by hand. `look_for` is for whoever marks, and is not shown to learners.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Explanation:
    """A question, and what a good answer says."""

    name: str
    chapter: int
    question: str
    look_for: tuple[str, ...]
    points: int = 2

    @property
    def opening(self) -> str:
        """The first line of the learner's text cell; it is invisible in the notebook."""
        return f"<!-- answer: {self.name}, {self.points} points -->"


_ALL = (
    Explanation(
        "long-vectors",
        1,
        "A search engine compares a question with pages by dot product. One page wins nearly every "
        "search. What may be wrong, and what would you change?",
        (
            "the page's vector is long",
            "a dot product grows with length",
            "divide by the lengths, or use the cosine",
        ),
    ),
    Explanation(
        "why-softmax",
        2,
        "Why does attention blend all values, and not simply take the best one?",
        (
            "a hard choice has no gradient",
            "a blend can be improved a little at a time",
            "a sharp softmax can come as close to a choice as necessary",
        ),
    ),
    Explanation(
        "what-is-trained",
        3,
        "A friend says: the model learns its queries. What is right about that, and what is wrong?",
        (
            "W_Q is stored and trained",
            "Q is computed again from every x",
            "a new sentence gets a new Q, from the same W_Q",
        ),
        points=3,
    ),
    Explanation(
        "one-backward-pass",
        4,
        "Does it take a separate network, or separate training, to teach W_Q, W_K and W_V? "
        "Say how the loss reaches W_Q.",
        (
            "no: one loss, one backward pass",
            "output, weights, scores, q, then W_Q, by the chain rule",
            "each matrix gets its own gradient from the same pass",
        ),
        points=3,
    ),
    Explanation(
        "nobody-labelled-it",
        5,
        "Nobody told the model which card to look at. How does attention find the right one?",
        (
            "only the answer has a loss",
            "more weight on the right card lowers the loss",
            "the gradient raises that score and so lowers the others",
        ),
    ),
    Explanation(
        "three-spaces",
        6,
        "Name a task that makes the embeddings of *king* and *queen* alike, and a task that makes them "
        "opposite. What do W_K and W_V have to do with this?",
        (
            "royal or not: alike",
            "female or not: opposite",
            "each matrix shows the same word from a different side",
        ),
    ),
    Explanation(
        "why-a-mask",
        7,
        "A model that writes text is trained without a causal mask. It scores perfectly in "
        "training and fails in use. Why?",
        ("the model reads the next word instead of predicting it", "in use the next word is not there yet"),
    ),
    Explanation(
        "two-of-three",
        8,
        "Of the three ways to compute heads, which two are the same, and why is the third a different "
        "function?",
        (
            "a W for each head, and one big W with a reshape, are the same",
            "cutting x first lets each head see only a piece of x",
            "that is a big W which is zero outside its diagonal blocks",
        ),
        points=3,
    ),
    Explanation(
        "why-heads-differ",
        9,
        "All heads are built alike. Why do they learn different things, and what would prevent that?",
        (
            "they start from different random numbers",
            "exact copies in all four matrices stay copies",
            "once they differ, each takes what the others leave",
        ),
    ),
    Explanation(
        "who-asks",
        10,
        "A model reads a word aloud, sound by sound. Which side gives the queries, which side the "
        "keys and values, and why not the other way round?",
        (
            "the sounds being written ask",
            "the letters answer, as keys and as values",
            "the output needs one row for each sound",
        ),
    ),
    Explanation(
        "what-layers-feed",
        11,
        "What does the second layer get as its x, and does it use the same W_Q, W_K and W_V as the first?",
        ("the first layer's output, which is x with something added", "its own weights, trained separately"),
    ),
    Explanation(
        "capstone",
        12,
        "Design a task that needs exactly three heads. Predict what each head will do, then train the "
        "heads and compare.",
        (
            "a reason why two heads cannot do it",
            "a prediction made before training",
            "ablations that show each head's job",
            "an honest account of what came out differently",
        ),
        points=6,
    ),
    Explanation(
        "bright-column",
        13,
        "In the map of a real head almost every word gives most of its weight to the first token. A "
        "friend says: so the first token must matter most to all words. What do you answer, and how would "
        "you find out?",
        (
            "weights sum to one, so a head with nothing to find parks its weight somewhere",
            "the weight multiplies a value: look at how long that token's value is",
            "set its value to zero and see whether the outputs change",
        ),
    ),
    Explanation(
        "trained-short",
        14,
        "Two heads were trained on lines of 16 words, one head with learned positions, one head with "
        "rotary positions (RoPE). Which of these heads still works at position 40, and for what kind of "
        "question? Say why.",
        (
            "the learned rows from 16 on were never trained",
            "with RoPE a score depends only on the distance, so a distance that was trained works anywhere",
            "a question whose distance grows, such as the first word, meets distances that were not "
            "in training",
        ),
    ),
    Explanation(
        "what-is-kept",
        15,
        "A model that writes keeps the keys and values of all tokens so far, and no queries. Why keys and "
        "values? Why is it safe to keep them? And why can heads share them?",
        (
            "later tokens look at earlier keys and blend their values; an earlier query is never used again",
            "with a causal mask an earlier row of x never changes, in any layer",
            "heads whose queries differ can look at different tokens, even with the same keys",
        ),
    ),
    Explanation(
        "softmax-a-waste",
        16,
        "A friend says: linear attention computes the same as attention, only cheaper, so softmax "
        "is a waste. What is right about that, and what is wrong?",
        (
            "right: without softmax keys and values fit into one matrix, whose size does not depend on "
            "the number of tokens",
            "wrong: it is a different function; keys that are not at a right angle answer, too",
            "softmax keeps all keys separate, so one of many can be picked: that is what the cache buys",
        ),
    ),
)

EXPLANATIONS: dict[str, Explanation] = {one.name: one for one in _ALL}
