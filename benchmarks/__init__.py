"""Speed, measured: `python -m benchmarks [name…]`. Each module here with a `run` function is one benchmark."""
