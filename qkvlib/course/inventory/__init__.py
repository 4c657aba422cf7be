"""A test of where Q, K and V come from: two forms, and what each wrong choice says.

An instructor gives one form before the course and the other after it. What the class believed, and
believes no more, is seen misconception by misconception. Nothing here loads torch.
"""
