"""The schema of the API as its page of documentation shows it: sections, operations, fields, models."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from botyard.yard.api.routing import JSON

METHODS = ("get", "post", "put", "delete")

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class FieldDoc:
    """A field, or what comes back: its kind in words, and the model that it leads to."""

    name: str
    kind: str
    model: str = ""
    about: str = ""
    required: bool = False


@dataclass(frozen=True, slots=True)
class OperationDoc:
    method: str
    path: str
    summary: str
    about: str
    needs: str
    parameters: list[FieldDoc]
    body: list[FieldDoc]
    body_kind: str
    gives: FieldDoc

    @property
    def anchor(self) -> str:
        return f"{self.method.lower()}{self.path.replace('/', '-').replace('{', '').replace('}', '')}"


@dataclass(frozen=True, slots=True)
class ModelDoc:
    name: str
    about: str
    fields: list[FieldDoc]


@dataclass(frozen=True, slots=True)
class SectionDoc:
    """What one page shows: operations, and the models that they lead to."""

    title: str
    about: str
    operations: list[OperationDoc] = field(default_factory=list)
    models: list[ModelDoc] = field(default_factory=list)

    @property
    def slug(self) -> str:
        return self.title.lower().replace(" ", "-")


def sections_of(schema: Schema) -> dict[str, SectionDoc]:
    """Returns all sections of the API that have operations, by their slugs."""
    sections = {tag["name"]: SectionDoc(tag["name"], tag["description"]) for tag in schema["tags"]}
    models: dict[str, Schema] = schema["components"]["schemas"]
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                told = operation_doc(method.upper(), path, methods[method], models)
                sections[methods[method]["tags"][0]].operations.append(told)
    known = {plain(name): ModelDoc(plain(name), described(one), fields_of(one)) for name, one in models.items()}
    for section in sections.values():
        section.models.extend(models_used(section.operations, known))
    return {section.slug: section for section in sections.values() if section.operations}


def models_used(operations: list[OperationDoc], known: dict[str, ModelDoc]) -> list[ModelDoc]:
    """Returns the models that operations lead to, and those that these lead to."""
    fields = [one for told in operations for one in (*told.parameters, *told.body, told.gives)]
    used: set[str] = set()
    while fields:
        name = fields.pop().model
        if name and name not in used:
            used.add(name)
            fields += known[name].fields
    return [known[name] for name in sorted(used)]


def operation_doc(method: str, path: str, told: Schema, models: dict[str, Schema]) -> OperationDoc:
    body, body_kind = body_of(told, models)
    parameters = [
        field_doc(one["name"], one["schema"], one.get("required", False), one.get("description", ""))
        for one in told.get("parameters", [])
    ]
    summary, about = told["summary"], told.get("description", "")
    about = "" if about.rstrip(".") == summary else about  # FastAPI says it twice where there is nothing else to say
    return OperationDoc(
        method, path, summary, about, told["x-needs"], parameters, body, body_kind,
        given(told),
    )  # fmt: skip


def body_of(told: Schema, models: dict[str, Schema]) -> tuple[list[FieldDoc], str]:
    content = told.get("requestBody", {}).get("content", {})
    for kind, described in content.items():
        found = described["schema"]
        return fields_of(models[model_in(found)] if model_in(found) else found), kind
    return [], ""


def given(told: Schema) -> FieldDoc:
    """Returns what comes back if all goes well."""
    for status, answer in told["responses"].items():
        if not str(status).startswith("2"):
            continue
        for kind, described in answer.get("content", {}).items():
            if kind != JSON or described["schema"].get("format") == "binary":
                return FieldDoc("", kind)
            return field_doc("", described["schema"], True)
    return FieldDoc("", "nothing")


def fields_of(model: Schema) -> list[FieldDoc]:
    needed = model.get("required", [])
    return [field_doc(name, one, name in needed) for name, one in model.get("properties", {}).items()]


def field_doc(name: str, schema: Schema, required: bool, words: str = "") -> FieldDoc:
    return FieldDoc(name, kind_of(schema), plain(model_in(schema)), words or schema.get("description", ""), required)


def kind_of(schema: Schema) -> str:
    """Returns the kind of a value in words."""
    if "anyOf" in schema:
        return " or ".join(filter(None, map(kind_of, schema["anyOf"])))
    if "$ref" in schema:
        return ""
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    kind = str(schema.get("type", "any"))
    if kind == "array":
        return f"list of {kind_of(schema.get('items', {}))}".strip()
    return kind


def model_in(schema: Schema) -> str:
    """Returns the model that a value is, or is made of."""
    for part in (schema, schema.get("items", {}), schema.get("additionalProperties", {}), *schema.get("anyOf", [])):
        if isinstance(part, dict) and "$ref" in part:
            return str(part["$ref"]).rpartition("/")[2]
    return ""


def plain(name: str) -> str:
    """Returns the name of a model as people read it: `Part_MatchAnswer_` is a part of a list of them."""
    return name.rstrip("_")


def coded(text: str) -> Markup:
    """Returns a text as HTML; what stands between backquotes is code."""
    parts = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if at % 2 else Markup("{}").format(part) for at, part in enumerate(parts)
    )


def described(model: Schema) -> str:
    return str(model.get("description", ""))
