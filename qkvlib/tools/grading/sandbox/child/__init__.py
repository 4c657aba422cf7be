"""The process in which a learner's code runs. Nothing in it can be trusted, and nothing in it is secret.

These files are loaded by a process that knows no exercise and no answer. They use only relative imports of
each other and never import `qkvlib`, so that the process need not be able to read it.
"""
