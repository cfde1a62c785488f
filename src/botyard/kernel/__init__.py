"""The kernel holds what all games share: records, chance, rules, batches, outcomes, verdicts and settings."""
