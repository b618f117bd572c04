"""The documents that the results become. Every number in them comes from the JSON."""
