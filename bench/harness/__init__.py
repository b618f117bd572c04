"""What the sections of the benchmark share: programs, peers, data, tables."""
