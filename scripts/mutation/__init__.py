"""The mutation check: see scripts/mutate.py."""
