"""The examples train: with PyTorch alone on every game, with Stable-Baselines3, and a trained bot can be shipped."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from botyard.games.hive.bots.learner import net, senses
from botyard.kernel.errors import YardError

ROOT = Path(__file__).parents[2]
SMALL: dict[str, Any] = {"device": "cpu", "games": 16, "steps": 16, "batches": 4}


@pytest.fixture(autouse=True)
def _on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    monkeypatch.syspath_prepend(str(ROOT / "tools"))


def trainer_of(**plan: Any) -> Any:
    import train_torch

    return train_torch.Trainer(train_torch.Plan(**(SMALL | plan)))


def equal(some: dict[str, torch.Tensor], others: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(one, others[name]) for name, one in some.items())


def test_every_game_can_be_learned(game: str) -> None:
    trainer = trainer_of(game=game, games=6 if game == "snakebattle" else 16)
    before = trainer.weights()
    trainer.play_on()
    trainer.learn(0.0)
    assert not equal(before, trainer.weights())
    assert all(torch.isfinite(one).all() for one in trainer.weights().values())
    assert torch.equal(trainer.rollout.counts[0], trainer.rollout.asked[:-1].float().sum(0))


def test_orders_that_are_drawn_are_allowed(game: str) -> None:
    trainer = trainer_of(game=game, games=6)
    trainer.play()
    kept = trainer.rollout
    allowed = kept.mask.gather(2, kept.orders[:, :, None]).squeeze(2)
    assert (allowed | ~kept.asked[:-1]).all()


def test_a_training_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    first = trainer_of()
    list(first.train(minutes=0.01))
    first.freeze()
    first.save(tmp_path)
    second = trainer_of(rate=1e-3)
    second.resume(tmp_path)
    assert equal(first.weights(), second.weights())
    assert second.updates == first.updates
    assert second.curve == first.curve
    list(second.train(minutes=0.01))
    assert second.updates > first.updates
    assert not equal(first.weights(), second.weights())
    assert second.curve[-1]["steps"] > first.curve[-1]["steps"]


def test_a_checkpoint_of_another_player_is_refused_with_what_to_ask_for(tmp_path: Path) -> None:
    trainer_of(game="hackman").save(tmp_path)
    with pytest.raises(YardError, match="--game hackman"):
        trainer_of().resume(tmp_path)


def test_a_piece_that_no_number_tells_is_refused_with_the_one_that_may_be_meant() -> None:
    with pytest.raises(YardError, match="unknown number for --piece 'be': did you mean 'bee'"):
        trainer_of(piece="be")


def test_a_point_of_the_curve_counts_all_steps_and_the_games_against_house_bots() -> None:
    trainer = trainer_of(league=0.25)
    assert trainer.copies == 4
    trainer.rollout.counts[0] = 2
    trainer.rollout.counts[1, :8] = 1
    trainer.rollout.counts[2, :12] = 1
    trainer.note(8.0)
    assert trainer.curve[-1] == {"seconds": 8.0, "steps": 32.0, "rate": 4.0, "won": 0.5, "decided": 8.0}
    assert trainer.rollout.counts.sum() == 0


def test_games_that_end_are_counted_as_won_lost_or_drawn() -> None:
    trainer = trainer_of(game="battlebots", steps=64)
    trainer.play_on()
    steps, won, decided = trainer.rollout.counts
    assert 0 < won.sum() < decided.sum() <= trainer.rollout.ended.sum()
    assert steps.sum() == trainer.rollout.asked[:-1].sum()


def test_foes_without_shares_are_met_alike() -> None:
    trainer = trainer_of(foes="forager,wanderer", league=0.0)
    met = trainer.field.drill.host(trainer.field.drill._arrays.bots)[:, 1].tolist()
    assert sorted(met) == [0] * 8 + [1] * 8


def test_the_rate_of_learning_is_that_of_the_run_and_falls(tmp_path: Path) -> None:
    first = trainer_of()
    first.save(tmp_path)
    second = trainer_of(rate=1e-3)
    second.resume(tmp_path)
    assert float(second.optimizer.param_groups[0]["lr"]) == pytest.approx(1e-3)
    second.play_on()
    second.learn(share=1.0)
    assert float(second.optimizer.param_groups[0]["lr"]) == pytest.approx(0.05 * 1e-3)


def test_a_second_run_learns_at_the_rate_where_the_first_one_ended() -> None:
    trainer = trainer_of()
    trainer.curve[-1]["seconds"] = 600.0
    next(trainer.train(minutes=10))
    assert float(trainer.rate) == pytest.approx(trainer.plan.rate * (1 - 0.95 / 2), rel=0.01)
    next(trainer.train(minutes=10, whole=40))
    assert float(trainer.rate) == pytest.approx(trainer.plan.rate * (1 - 0.95 / 4), rel=0.01)


def test_fewer_steps_than_a_batch_are_not_passed_over_in_silence() -> None:
    trainer = trainer_of(steps=4, batches=1)  # no bee acts twice
    trainer.play_on()
    with pytest.raises(YardError, match="more --steps or --batches"):
        trainer.learn(0.0)


def test_a_curve_is_drawn() -> None:
    import train_torch

    points = [{"seconds": 60.0 * at, "won": at / 4, "decided": 9.0} for at in range(1, 5)]
    line = ElementTree.fromstring(train_torch.drawing(points)).find("{*}polyline")
    assert line is not None
    assert line.get("points") == "187.5,162.5 335.0,115.0 482.5,67.5 630.0,20.0"


def led_by_hand(trainer: Any, owners: Any, last: Any) -> tuple[Any, Any]:
    """Returns advantages and which steps are learned from, written down game by game and step by step."""
    plan, kept = trainer.plan, trainer.rollout
    advantages, learned = np.zeros((plan.steps, plan.games)), np.zeros((plan.steps, plan.games), bool)
    for game in range(plan.games):
        for t in reversed(range(plan.steps)):
            if not kept.asked[t, game]:
                continue
            reward, known, ended, then = 0.0, False, False, t
            for then in range(t, plan.steps + 1):
                if then > t and kept.asked[then, game] and owners[then, game] == owners[t, game]:
                    known = True
                    break
                if then < plan.steps:
                    reward += float(kept.rewards[then, game])
                    if kept.ended[then, game]:
                        known = ended = True
                        break
            later = 0.0
            if known and not ended:
                later = float(last[game] if then == plan.steps else kept.values[then, game])
                if then < plan.steps and learned[then, game]:
                    later += plan.trace * advantages[then, game]
            advantages[t, game] = reward + plan.discount * later - float(kept.values[t, game])
            learned[t, game] = known
    return advantages, learned


def test_every_piece_is_led_from_its_turn_to_its_next_one() -> None:
    """An advantage is what came until the next turn of the same piece, and what is expected from there on."""
    trainer = trainer_of()
    kept, dice = trainer.rollout, torch.Generator().manual_seed(3)
    kept.values.uniform_(-1, 1, generator=dice)
    kept.rewards.uniform_(-1, 1, generator=dice)
    kept.ended.bernoulli_(0.15, generator=dice)
    kept.asked.bernoulli_(0.8, generator=dice)
    owners = torch.randint(0, 3, kept.asked.shape, generator=dice)
    last = torch.rand(trainer.plan.games, generator=dice)
    kept.weigh(trainer.plan, 3, owners, last)
    advantages, learned = led_by_hand(trainer, owners, last)
    assert np.array_equal(kept.learned.numpy(), learned)
    assert 0 < learned.sum() < learned.size
    assert np.allclose(kept.advantages.numpy()[learned], advantages[learned], atol=1e-5)
    assert torch.allclose(kept.returns, kept.advantages + kept.values)


def test_a_trial_counts_every_game() -> None:
    import train_torch

    trainer = trainer_of()
    assert sum(train_torch.compared(trainer.plan, trainer.player, "wanderer", 8)) == 8


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--resume"], "no checkpoint to resume from"),
        (["--folder", "kept"], "has a checkpoint: --resume, or another --folder"),
    ],
)
def test_what_cannot_be_done_is_refused(
    arguments: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import train_torch

    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "checkpoint.pt").touch()
    monkeypatch.setattr(sys, "argv", ["train_torch.py", *arguments])
    with pytest.raises(SystemExit):
        train_torch.main()
    assert told in capsys.readouterr().err


def test_a_run_ends_with_trials_against_house_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import train_torch

    small = [word for name, value in SMALL.items() for word in (f"--{name}", str(value))]
    monkeypatch.setattr(
        sys, "argv", ["", *small, "--minutes", "0.01", "--trial", "2", "--folder", str(tmp_path / "run")]
    )
    train_torch.main()
    assert "v forager:" in capsys.readouterr().out
    assert {path.name for path in (tmp_path / "run").iterdir()} == {"checkpoint.pt", "curve.json", "curve.svg"}


def test_a_trained_actor_becomes_whole_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import ship_learner

    trainer = trainer_of()
    list(trainer.train(minutes=0.05))
    trainer.save(tmp_path)
    monkeypatch.setattr(ship_learner, "GAMES", 16)
    monkeypatch.setattr(ship_learner, "STEPS", 60)
    actor = ship_learner.actor_of(tmp_path)
    inputs, mask = ship_learner.played(actor, 1)
    made = ship_learner.in_whole_numbers(actor, inputs)
    shipped = [made[name].astype(kind).nbytes for name, (kind, _) in net.SHAPES.items()]
    assert sum(shipped) == net.FILE.stat().st_size
    liked = np.where(mask, ship_learner.layers(actor, inputs)[2], -np.inf).argmax(1)
    assert (ship_learner.choices(made, inputs, mask) == liked).mean() > 0.9


def test_inputs_stand_where_the_bot_that_is_shipped_has_them() -> None:
    trainer = trainer_of()
    trainer.play_on()
    codes, numbers, _ = trainer.field.sensed(0)
    shipped = np.zeros((len(codes), net.INPUTS))
    cells = codes.flatten(1).numpy()
    games = np.arange(len(codes))[:, None]
    shipped[games, np.arange(cells.shape[1]) * len(senses.CODES) + cells] = 1
    shipped[games, np.array(net.STARTS) + numbers.numpy()] = 1
    assert np.array_equal(trainer.player.encoder(codes, numbers).float().numpy(), shipped)


def test_stable_baselines_learns(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import train_sb3

    monkeypatch.setattr(sys, "argv", ["train_sb3.py", "--games", "64", "--steps", "16384"])
    train_sb3.main()
    lines = capsys.readouterr().out.splitlines()
    told = lines[next(at for at, line in enumerate(lines) if "not lost" in line) + 1 :]
    shares = [int(line.split()[2].rstrip("%")) for line in told if line.strip()]
    assert len(shares) > 2
    assert max(shares) > 0
