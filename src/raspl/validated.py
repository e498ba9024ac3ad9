"""Records that are checked when they are made and read, and what is wrong with one in words."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails


class Record(BaseModel):
    """Immutable data with checked fields. Unknown fields are refused, and nothing is converted."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    def replace(self, **changes: Any) -> Self:
        """The same record with other values, checked anew."""
        return type(self)(**{**dict(self), **changes})

    def as_json(self) -> dict[str, Any]:
        """Plain data for a JSON file, without what is at its default."""
        return self.model_dump(mode="json", exclude_defaults=True)


TEMPLATES = {
    "literal_error": "{name} is one of {expected}, not {value!r}.",
    "int_type": "{name} must be a whole number, not {value!r}.",
    "int_from_float": "{name} must be a whole number, not {value!r}.",
    "float_type": "{name} must be a number, not {value!r}.",
    "finite_number": "{name} must be a number, not {value!r}.",
    "greater_than_equal": "{name} must be at least {ge:g}, not {value}.",
    "greater_than": "{name} must be more than {gt:g}, not {value}.",
    "less_than": "{name} must be below {lt:g}, not {value}.",
    "extra_forbidden": "There is no field {name!r}.",
    "missing": "{name} is missing.",
}


def what_is_wrong(error: ValidationError) -> str:
    """The first mistake of a record, in a sentence."""
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"])
    template = TEMPLATES.get(first["type"])
    if first["type"] == "value_error":
        return str(first["ctx"]["error"])
    if template is None:
        return f"{name}: {first['msg']}, not {first['input']!r}."
    return template.format(name=name, value=first["input"], **_context(first))


def _context(error: ErrorDetails) -> dict[str, Any]:
    context = dict(error.get("ctx", {}))
    if "expected" in context:  # pydantic quotes the choices and puts an "or" before the last
        context["expected"] = context["expected"].replace("'", "").replace(" or ", ", ")
    return context
