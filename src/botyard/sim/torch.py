"""PyTorch's view of a drill: tensors over its own memory, on the CPU and on a GPU, without a copy.

    drill = TensorDrill(NAME, n=65_536, opponents=["house bot's name"], device="cuda")
    seen = drill.reset(seed=1)
    told = drill.step(choose(seen))

A tensor stays the same object from step to step, and the next step writes over it: clone what has to last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from botyard.kernel.loop_modes import RUNNING, TERMINATED, TRUNCATED
from botyard.kernel.orders import LIMITS, is_on_gpu
from botyard.sim.drill import Drill
from botyard.sim.extras import extra

with extra("research", __name__):
    import torch


__all__ = ["Inputs", "Recorded", "SensedTensors", "TensorDrill", "TensorStep", "drawn", "over", "planes"]


class SensedTensors(NamedTuple):
    """Holds what learners are given: (n, learners, …) each, or (n, …) if one learner plays in each game."""

    codes: torch.Tensor  # the cells that are sensed: uint8 (…, rows, cols)
    numbers: torch.Tensor  # what is sensed beside: int16 (…, numbers)
    mask: torch.Tensor  # the orders that are not certain to be in vain: bool (…, orders)
    turn: torch.Tensor  # who is asked: bool


class TensorStep(NamedTuple):
    """Holds what a step brought."""

    seen: SensedTensors  # what learners are given now
    rewards: torch.Tensor  # what each gained: int32
    terminated: torch.Tensor  # the games that the rules ended: bool (n,)
    truncated: torch.Tensor  # the games that the horizon ended: bool (n,)
    final_codes: torch.Tensor  # the cells that were sensed last in games that ended
    final_numbers: torch.Tensor  # the numbers that were sensed last in them

    @property
    def ended(self) -> torch.Tensor:
        """The games that ended, one way or the other."""
        return self.terminated | self.truncated


def over(array: Any) -> torch.Tensor:
    """Returns a tensor over the memory of an array: a NumPy array, or one on a GPU (`__cuda_array_interface__`)."""
    if is_on_gpu(array):
        return torch.as_tensor(array, device="cuda")
    return torch.from_numpy(array)


def planes(codes: torch.Tensor, count: int, kind: torch.dtype = torch.float32) -> torch.Tensor:
    """Returns codes (…, rows, cols) as planes of zeros and ones (…, count, rows, cols), as convolutions take them."""
    marks = torch.arange(count, device=codes.device, dtype=codes.dtype)
    return (codes.unsqueeze(-3) == marks[:, None, None]).to(kind)


def narrowed(orders: torch.Tensor) -> torch.Tensor:
    """Returns orders of 64 bits, which PyTorch makes, as those of 32 that kernels take; a wider number is no order, and
    must not become one by losing bits. On the CPU the drill refuses it; on a GPU that would mean waiting.
    """
    return orders.clamp(LIMITS.min, LIMITS.max).to(torch.int32) if orders.dtype == torch.int64 else orders


def drawn(logits: torch.Tensor) -> torch.Tensor:
    """Draws one of the last dimension for each of the others, by the chances that logits stand for."""
    noise = -torch.log(-torch.log(torch.rand_like(logits).clamp(1e-9, 1 - 1e-7)))
    return (logits + noise).argmax(-1)


class Inputs(torch.nn.Module):
    """Makes inputs of a network: for every cell one for each code, for every number one for each value, all 0 or 1.

    A number of more than 32 values is one input, which tells how far it is from its lowest to its highest.
    """

    FEW = 32

    width: int  # how many inputs there are

    def __init__(self, senses: Any, cells: tuple[int, int]) -> None:
        super().__init__()
        codes, told = len(senses.CODES), list(enumerate(senses.NUMBERS))
        few = [(at, one) for at, one in told if one.high - one.low < self.FEW]
        self._many = [(at, one.low, one.high - one.low) for at, one in told if one.high - one.low >= self.FEW]
        pairs = [(at, value) for at, one in few for value in range(one.low, one.high + 1)]
        self.width = cells[0] * cells[1] * codes + len(pairs) + len(self._many)
        number, value = torch.tensor(pairs, dtype=torch.int64).reshape(-1, 2).unbind(1)
        self.register_buffer("code", torch.arange(codes, dtype=torch.uint8), persistent=False)
        self.register_buffer("number", number, persistent=False)
        self.register_buffer("value", value.to(torch.int16), persistent=False)

    def forward(self, codes: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
        """Returns the inputs (n, width) of codes (n, rows, cols) and numbers (n, numbers), as bfloat16."""
        seen = codes.flatten(1).unsqueeze(2) == self.code
        told = numbers[:, self.number] == self.value
        marks = torch.cat([seen.flatten(1), told], 1).to(torch.bfloat16)
        sizes = [((numbers[:, at, None].float() - low) / span).bfloat16() for at, low, span in self._many]
        return torch.cat([marks, *sizes], 1) if sizes else marks


class Recorded:
    """Does work on a GPU as one graph: to start its kernels one by one can take longer than they do.

    The work must find what changes in the same tensors every time; steps of a drill can be part of it. When it is first
    called for it is done three times more, because it has to be warm before it is recorded.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._graph: Any = None

    def __call__(self) -> None:
        if self._graph is None:
            self._graph = self._record()
        self._graph.replay()

    def _record(self) -> Any:
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(3):
                self._work()
        torch.cuda.current_stream().wait_stream(aside)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._work()
        return graph


class TensorDrill:
    """Takes and gives tensors where a drill has arrays. All arguments are those of `Drill`.

    On a GPU it works in PyTorch's current stream unless it is given one, so that a step comes after what was asked of
    PyTorch before it, and can be recorded in a graph.
    """

    drill: Drill  # the drill underneath
    seen: SensedTensors  # what learners are given now
    rewards: torch.Tensor  # what each gained in the last step: int32
    places: torch.Tensor  # the place of each learner, 1 for the best, 0 unless the rules ended the game
    ended: torch.Tensor  # for each game, 0: it goes on, 1: the rules ended it, 2: the horizon did
    finals: tuple[torch.Tensor, torch.Tensor]  # the codes and the numbers that were sensed last in games that ended
    codes_count: int  # how many codes there are
    orders_count: int  # how many orders there are

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        drill = Drill(*args, **kwargs)
        self._lay_over(drill, drill.device == "cuda" and kwargs.get("stream") is None)

    def _lay_over(self, drill: Drill, follows: bool) -> None:
        """Makes the tensors over the memory of a drill, which works in PyTorch's stream if it follows that."""
        self.drill, self._follows = drill, follows
        self._stream = -1  # in which the drill works now
        self.codes_count = len(drill.senses.CODES)
        self.orders_count = len(drill.book.facts.orders)
        self.seen = SensedTensors(
            self._lanes(drill.codes),
            self._lanes(drill.numbers),
            self._lanes(drill.mask).view(torch.bool),
            self._lanes(drill.turn).view(torch.bool),
        )
        self.rewards, self.places = self._lanes(drill.rewards), self._lanes(drill.places)
        self.ended = over(drill.ended)
        self.finals = self._lanes(drill.final_codes), self._lanes(drill.final_numbers)

    def _lanes(self, array: Any) -> torch.Tensor:
        """Returns the tensor of an array (n, learners, …), without the second dimension if there is one learner."""
        tensor = over(array)
        return tensor.squeeze(1) if self.drill.learners == 1 else tensor

    def _follow(self) -> None:
        """Has the drill work where PyTorch works now."""
        if self._follows and (now := torch.cuda.current_stream().cuda_stream) != self._stream:
            self.drill.use_stream(now)
            self._stream = now

    def reset(self, seed: Any = None, chosen: torch.Tensor | None = None) -> SensedTensors:
        """Begins all games, or the chosen ones, as `Drill.reset` does; returns what learners are given."""
        self._follow()
        self.drill.reset(seed, None if chosen is None else torch.as_tensor(chosen).cpu().numpy())
        return self.seen

    def step(self, orders: torch.Tensor) -> TensorStep:
        """Plays on with these orders, whole numbers, one for each learner; on the GPU they stay there."""
        self._follow()
        given = torch.as_tensor(orders).detach().contiguous()
        if given.device.type == "cpu":
            self.drill.step(given.numpy())
        else:
            self.drill.step(narrowed(given))
        codes, numbers = self.finals
        ended = self.ended
        return TensorStep(self.seen, self.rewards, ended == TERMINATED, ended == TRUNCATED, codes, numbers)

    def random_orders(self, generator: torch.Generator | None = None) -> torch.Tensor:
        """Returns orders that the masks allow, drawn at random; order 0 for learners that are not asked."""
        mask = self.seen.mask
        chances = (1 - torch.rand(mask.shape, device=mask.device, generator=generator)) * mask  # above 0 where one may
        return chances.argmax(-1).to(torch.int32)

    def __getstate__(self) -> dict[str, Any]:
        """Returns what is copied and pickled: the drill. A copy's tensors lie over the memory of its own drill."""
        return {"drill": self.drill, "follows": self._follows}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self._lay_over(saved["drill"], saved["follows"])

    def __repr__(self) -> str:
        return f"<Tensors of {repr(self.drill)[1:]}"

    @property
    def running(self) -> torch.Tensor:
        """The games that go on."""
        return self.ended == RUNNING
