"""The kernel: records, chance, rules and batches; outcomes, verdicts and settings. It knows no game."""
