"""Learner: a small network that was trained by `examples/train_torch.py`, and what it senses."""
