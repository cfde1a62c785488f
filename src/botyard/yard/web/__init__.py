"""The pages of the yard: HTML first; modules make them livelier."""
