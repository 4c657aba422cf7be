"""Grading a class: the same verdicts as in the notebook, on code that nobody has to trust.

    queue    hands out the class's work, keeps the record. Loads no torch.
    worker   trusted: exercises, references. Never runs, unpickles or parses a learner's code;
             sends tensors and gets tensors back.
    zygote   Python and torch, and no secret: what children are forked from.
    child    one submission, behind every wall the system has.

The points are given by another process, which believes nothing it is told. The walls protect the
machine, the answers and the other submissions. `sandbox/child/` is the untrusted side. README.md
has the picture, and SECURITY.md, at the top of the repository, the limits.
"""
