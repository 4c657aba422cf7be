"""Where a learner's code runs: the grader's side in host.py, the untrusted side in child/."""
