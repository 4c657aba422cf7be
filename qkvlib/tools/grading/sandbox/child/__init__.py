"""The process in which a learner's code runs. Nothing here is to be trusted, nothing is secret.

These files are loaded by a process that knows no exercise and no answer. They import each other by
relative imports only and never `qkvlib`, so that the process need not be able to read it.
"""
