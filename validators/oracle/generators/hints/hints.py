"""What the hints of `conform fix` ask of an author, done with the real pydantic: the schema before and after the
change in the source, one JSON line each.
"""

import json
from datetime import datetime
from typing import Annotated, Literal, Union

import pydantic
from pydantic import AnyUrl, BaseModel, ConfigDict, Field, WithJsonSchema, create_model


def of(annotation, default=..., **config):
    model = create_model("Result", __config__=ConfigDict(**config) if config else None, v=(annotation, default))
    return model.model_json_schema()


def line(rewrite, change, before, after):
    print(json.dumps({"generator": "pydantic", "version": "pydantic " + pydantic.VERSION, "rewrite": rewrite,
                      "change": change, "before": before, "after": after}))


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    a: str


class Open(BaseModel):
    a: str


class A(BaseModel):
    kind: Literal["a"]
    n: float


class B(BaseModel):
    kind: Literal["b"]
    s: str


text = WithJsonSchema({"type": "string"})
closed = Annotated[tuple[float, str], Field(json_schema_extra={"items": False})]
line("tuple-open-tail", "drop items: false from json_schema_extra", of(closed), of(tuple[float, str]))
line("tuple-union-items", "tuple[A, B] to Annotated[list[A | B], Field(min_length=2, max_length=2)]",
     of(tuple[float, str]), of(Annotated[list[float | str], Field(min_length=2, max_length=2)]))
line("time-formats-off", "datetime to Annotated[datetime, WithJsonSchema({'type': 'string'})]", of(datetime), of(Annotated[datetime, text]))
line("formats-off", "AnyUrl to Annotated[AnyUrl, WithJsonSchema({'type': 'string'})]", of(AnyUrl), of(Annotated[AnyUrl, text]))
line("object-open", "extra='forbid' dropped", Closed.model_json_schema(), Open.model_json_schema())
line("pattern-common", r"\d to [0-9], no needless escapes", of(Annotated[str, Field(pattern=r"^(?P<y>\d{4})\-x$")]), of(Annotated[str, Field(pattern=r"^([0-9]{4})-x$")]))
line("one-of-as-any-of", "Field(discriminator=...) dropped", of(Annotated[Union[A, B], Field(discriminator="kind")]), of(Union[A, B]))
line("nullable-as-any-of", "json_schema_extra={'nullable': True} to A | None", of(Annotated[str, Field(json_schema_extra={"nullable": True})]), of(str | None))
wrapped = create_model("Result", result=(list[str], ...)).model_json_schema()
line("root-wrap-object", "a model with one field in place of a list", pydantic.TypeAdapter(list[str]).json_schema(), wrapped)


class Merged(BaseModel):
    kind: Literal["a", "b"]
    n: float = Field(default=0)
    s: str = Field(default="")


union = Annotated[Union[A, B], Field(discriminator="kind")]
plain = pydantic.TypeAdapter(Union[A, B]).json_schema()
line("union-merge", "a discriminated union to one model", of(union), of(Merged))
line("root-combinators-flatten", "a discriminated union to one model", pydantic.TypeAdapter(union).json_schema(), Merged.model_json_schema())
line("root-type-object", "type: object added to TypeAdapter.json_schema()", plain, {"type": "object", **plain})
line("null-allowed", "str to str | None", of(str), of(str | None))
