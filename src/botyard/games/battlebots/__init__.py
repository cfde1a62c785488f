"""BattleBots: two robots duel with bullets, missiles, landmines and pulses."""
