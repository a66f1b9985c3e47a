"""Training of the networks: the only place that imports PyTorch and matplotlib, and nothing imports it."""
