"""The API does what its schema says: whatever the schema permits, and much that it does not, is asked of a whole yard.

Schemathesis makes the requests and judges the answers. An admin asks, behind the guard, and half of the addresses lead
to something that is there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from botyard.yard.api.app import PREFIX, all_operations
from botyard.yard.api.routing import Need, Operation
from botyard.yard.data.times import MINUTE
from tests.waiting import finished
from tests.yard.route_bodies import address_of
from tests.yard.town import Town

FEW, MANY = 2, int(os.environ.get("BOTYARD_SCHEMA_EXAMPLES", "60"))
ORIGIN = "http://localhost:8000"
CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
    response_schema_conformance,
]  # fmt: skip
LISTED = [operation for operation in all_operations() if operation.listed]


class Examined:
    """A yard whose API is examined."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.schema = finished(town.ask("nobody", "GET", f"{PREFIX}/openapi.json")).json
        self._operations = schemathesis.openapi.from_dict(self.schema)
        self._operations.app = town.app
        self._operations.config.update(base_url=f"{ORIGIN}{PREFIX}")

    def examine(self, operation: Operation, mode: GenerationMode, examples: int) -> list[int]:
        """Asks for an operation in many ways; returns the statuses of the answers."""
        drawn = self._operations[operation.path][operation.method].as_strategy(generation_mode=mode)
        statuses: list[int] = []
        checks = [*CHECKS, negative_data_rejection] if refuses_all(operation, mode) else CHECKS

        @settings(
            max_examples=examples, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(drawn)
        def ask(case: Case[Any]) -> None:
            self.town.hands.pass_ms(MINUTE)
            if mode is GenerationMode.POSITIVE:
                self._lead_somewhere(operation, case)
            answer = case.call(headers={"Host": "localhost:8000", "Origin": ORIGIN, **self._admin})
            statuses.append(answer.status_code)
            case.validate_response(answer, checks=checks if answer.status_code != 413 else CHECKS)

        ask()
        self.town.restore()
        return statuses

    @property
    def _admin(self) -> dict[str, str]:
        return {name.title(): said for name, said in self.town.visitors["admin"].headers.items()}

    def _lead_somewhere(self, operation: Operation, case: Case[Any]) -> None:
        """Has half of the requests ask for something that is there, and none for an answer that never ends."""
        there = address_of(operation.method, PREFIX + operation.path, self.town).partition("?")[0]
        parts = zip(operation.path.split("/"), there.removeprefix(PREFIX).split("/"), strict=True)
        for name, value in parts:
            if name.startswith("{") and len(str(case.path_parameters[name.strip("{}")])) % 2:
                case.path_parameters[name.strip("{}")] = value
        case.query.pop("follow", None)
        case.headers.pop("Authorization", None)  # the admin has a session


def refuses_all(operation: Operation, mode: GenerationMode) -> bool:
    """Whether everything that the schema does not permit must be refused.

    Of a session we always send the right one, and forms with files are read more leniently.
    """
    return mode is GenerationMode.NEGATIVE and operation.need is not Need.SESSION and not operation.takes


@pytest.fixture(scope="module")
def examined(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Examined]:
    town = Town(tmp_path_factory.mktemp("town"))
    yield Examined(town)
    town.close()


def name_of(value: Any) -> str | None:
    return f"{value.method} {value.path}" if isinstance(value, Operation) else None


def test_the_schema_has_every_operation_and_nothing_else(examined: Examined) -> None:
    paths: dict[str, dict[str, Any]] = examined.schema["paths"]
    described = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert described == {(operation.method, operation.path) for operation in LISTED}
    for path, methods in paths.items():
        for method, told in methods.items():
            assert told["summary"], f"{method} {path} says what it does"
            assert told["x-needs"] in list(Need)


@pytest.mark.parametrize("operation", LISTED, ids=name_of)
def test_what_the_schema_permits_is_answered_as_it_says(examined: Examined, operation: Operation) -> None:
    assert examined.examine(operation, GenerationMode.POSITIVE, FEW)


def can_be_wrong(operation: Operation) -> bool:
    """Whether a request may break the schema: in a part of its address, or in a body."""
    return "{" in operation.path or operation.method not in ("GET", "DELETE")


MODES = [
    (operation, mode)
    for operation in LISTED
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or can_be_wrong(operation)
]


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def on_both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Examined]:
    server = request.getfixturevalue("postgres") if request.param == "postgres" else None
    town = Town(tmp_path_factory.mktemp("town"), server)
    yield Examined(town)
    town.close()


@pytest.mark.long
@pytest.mark.parametrize(("operation", "mode"), MODES, ids=name_of)
def test_nothing_that_is_sent_makes_the_server_fail(
    on_both: Examined, operation: Operation, mode: GenerationMode
) -> None:
    assert on_both.examine(operation, mode, MANY)
