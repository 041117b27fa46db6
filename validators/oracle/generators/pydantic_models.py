"""Constructs from the real pydantic v2: model_json_schema() as the Python SDK's servers publish it.

    $CONFORM_ORACLE_CACHE/py/bin/python pydantic_models.py >> ../goldens/constructs.jsonl
"""

import json
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from ipaddress import IPv4Address
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NamedTuple, Optional, TypeVar, Union
from uuid import UUID

from pydantic import (AnyUrl, AwareDatetime, Base64Bytes, BaseModel, ConfigDict, Discriminator, Field, HttpUrl, Json,
                      NaiveDatetime, RootModel, SecretStr, Tag, TypeAdapter, computed_field, conint, constr)
from typing_extensions import TypedDict


class Color(str, Enum):
    red = "red"
    blue = "blue"


class Level(IntEnum):
    low = 1
    high = 2


class Point(BaseModel):
    x: float
    y: float = 0.0


class Plain(BaseModel):
    id: str
    count: int
    ratio: float | None = None
    ok: bool = True


class Optionals(BaseModel):
    a: Optional[int]
    b: Optional[str] = None
    c: int | str | None = Field(default=None, description="either")


class Bounds(BaseModel):
    s: constr(min_length=2, max_length=4, pattern=r"^[a-z]+$")
    n: conint(ge=1, lt=10)
    m: Annotated[int, Field(multiple_of=5)] = 5
    f: Annotated[float, Field(gt=0, le=1)] = 0.5
    l: Annotated[list[int], Field(min_length=1, max_length=2)] = [1]


class Nested(BaseModel):
    p: Point
    ps: list[Point]
    by_name: dict[str, Point] = {}
    maybe: Point | None = None


class Times(BaseModel):
    d: date | None = None
    dt: datetime | None = None
    t: time | None = None
    td: timedelta | None = None
    aware: AwareDatetime | None = None
    naive: NaiveDatetime | None = None


class Special(BaseModel):
    u: UUID | None = None
    url: AnyUrl | None = None
    http: HttpUrl | None = None
    ip: IPv4Address | None = None
    path: Path | None = None
    dec: Decimal | None = None
    b: bytes | None = None
    b64: Base64Bytes | None = None
    secret: SecretStr | None = None
    j: Json | None = None


class Enums(BaseModel):
    color: Color = Color.red
    level: Level | None = None
    lit: Literal["a", "b", 3, None] = "a"
    one: Literal["only"] = "only"


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: int


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    id: int


class Aliased(BaseModel):
    field_name: int = Field(alias="fieldName")
    odd: str = Field("x", alias="odd/key~")


class Tuples(BaseModel):
    fixed: tuple[int, str]
    many: tuple[int, ...] = ()
    empty: tuple[()] = ()
    mixed: tuple[float | None, Annotated[int, Field(ge=0)]] = (None, 0)
    s: set[str] = set()
    fs: frozenset[int] = frozenset()


class Pair(NamedTuple):
    a: int
    b: str = "x"


class WithNamedTuple(BaseModel):
    p: Pair


class Row(TypedDict, total=False):
    a: int
    b: str


class WithTypedDict(BaseModel):
    r: Row
    rows: Sequence[Row] = []


class Tree(BaseModel):
    name: str
    kids: list["Tree"] = []


class Linked(BaseModel):
    v: int
    next: Optional["Linked"] = None


class Cat(BaseModel):
    t: Literal["cat"]
    lives: int


class Dog(BaseModel):
    t: Literal["dog"]
    good: bool = True


class Pets(BaseModel):
    pet: Union[Cat, Dog] = Field(discriminator="t")
    others: list[Annotated[Union[Cat, Dog], Field(discriminator="t")]] = []


class PlainUnion(BaseModel):
    u: Union[Cat, Dog, int]


def kind_of(value):
    return value.get("k") if isinstance(value, dict) else getattr(value, "k", None)


class CallableUnion(BaseModel):
    u: Annotated[Union[Annotated[Cat, Tag("c")], Annotated[Dog, Tag("d")]], Discriminator(kind_of)]


T = TypeVar("T")


class Page(BaseModel, Generic[T]):
    items: list[T]
    next: str | None = None


class Anything(BaseModel):
    a: Any
    d: dict
    l: list
    o: object = None


class Computed(BaseModel):
    w: int

    @computed_field
    @property
    def area(self) -> int:
        return self.w * self.w


class Titled(BaseModel):
    """A documented model."""

    model_config = ConfigDict(title="Other title", json_schema_extra={"examples": [{"a": 1}], "x-note": 1})
    a: int = Field(title="A", description="the a", examples=[1, 2], deprecated=True, json_schema_extra={"x-unit": "s"})


class Strings(RootModel[list[str]]):
    pass


class Mapping(RootModel[dict[str, int]]):
    pass


class IntKeys(BaseModel):
    m: dict[int, str]
    c: dict[Color, int] = {}
    p: dict[Annotated[str, Field(pattern=r"^k\d+$")], int] = {}


class ToolResult(BaseModel):
    """What a FastMCP server wraps a list into."""

    result: list[dict[str, Any]]


MODELS = [
    ("plain", Plain, ['{"id":"x","count":1}', '{"id":1,"count":"1","ratio":null}', "{}", '{"id":"x","count":1.5,"ok":null}']),
    ("optionals", Optionals, ['{"a":null}', '{"a":1,"b":null,"c":"x"}', '{"b":1,"c":1.5}', "{}"]),
    ("bounds", Bounds, ['{"s":"abc","n":1}', '{"s":"A","n":10,"m":7,"f":0,"l":[]}', '{"s":"abcde","n":0,"f":1.5,"l":[1,2,3]}']),
    ("nested", Nested, ['{"p":{"x":1},"ps":[]}', '{"p":{},"ps":[{"x":"1"}],"by_name":{"k":1},"maybe":1}', '{"p":{"x":1},"ps":[{"x":1}],"maybe":null}']),
    ("times", Times, ['{"d":"2024-01-02","dt":"2024-01-02T03:04:05Z","t":"03:04:05Z","td":"PT1H"}', '{"d":"x","dt":"2024-01-02T03:04:05","t":"03:04:05","td":"1h"}', '{"aware":"2024-01-02T03:04:05+00:00","naive":"2024-01-02T03:04:05"}', '{"d":1,"dt":null}']),
    ("special", Special, ['{"u":"123e4567-e89b-12d3-a456-426614174000","url":"https://x.test/","ip":"1.2.3.4","path":"/a","dec":"1.50","b":"x"}', '{"u":"x","url":"rel","http":"ftp://x","ip":"x","dec":"1.5.0"}', '{"dec":1.5,"b64":"aGk=","secret":"s","j":"{}"}', '{"dec":"abc","http":"' + "https://x.test/" + "a" * 20 + '"}']),
    ("enums", Enums, ["{}", '{"color":"red","level":2,"lit":null,"one":"only"}', '{"color":"RED","level":3,"lit":"c","one":"other"}', '{"lit":3}']),
    ("closed", Closed, ['{"id":1}', '{"id":1,"x":2,"y":3}', "{}"]),
    ("open", Open, ['{"id":1,"x":2}', '{"x":2}']),
    ("aliased", Aliased, ['{"fieldName":1}', '{"field_name":1}', '{"fieldName":"x","odd/key~":1}']),
    ("tuples", Tuples, ['{"fixed":[1,"a"]}', '{"fixed":["a",1],"many":["x"],"empty":[1]}', '{"fixed":[1],"mixed":[null,-1],"s":["a","a"],"fs":[1,1.0]}', '{"fixed":[1,"a",2]}']),
    ("named-tuple", WithNamedTuple, ['{"p":[1]}', '{"p":[1,"x"]}', '{"p":["x",1,2]}', '{"p":{}}']),
    ("typed-dict", WithTypedDict, ['{"r":{}}', '{"r":{"a":"x"},"rows":[{"b":1}]}', "{}"]),
    ("tree", Tree, ['{"name":"a","kids":[{"name":"b"}]}', '{"name":"a","kids":[{"name":1},{}]}', "{}"]),
    ("linked", Linked, ['{"v":1,"next":{"v":2,"next":null}}', '{"v":1,"next":{"v":"x"}}', '{"next":1}']),
    ("discriminated", Pets, ['{"pet":{"t":"cat","lives":9}}', '{"pet":{"t":"dog","lives":1}}', '{"pet":{"t":"fish"}}', '{"pet":{"t":"cat"},"others":[{"t":"dog","good":1}]}']),
    ("union", PlainUnion, ['{"u":1}', '{"u":{"t":"dog"}}', '{"u":{"t":"cat"}}', '{"u":"x"}']),
    ("callable-union", CallableUnion, ['{"u":{"t":"dog"}}', '{"u":{}}']),
    ("generic", Page[Point], ['{"items":[{"x":1}]}', '{"items":[{}],"next":1}', '{"items":null}']),
    ("generic-union", Page[Union[Point, int]], ['{"items":[{"x":1},2]}', '{"items":["x"]}']),
    ("anything", Anything, ['{"a":null,"d":{},"l":[]}', '{"d":[],"l":{}}', '{"a":1,"d":{"k":[1]},"l":[1,"x"],"o":5}']),
    ("computed", Computed, ['{"w":1,"area":1}', '{"w":1}']),
    ("titled", Titled, ['{"a":1}', '{"a":"x"}']),
    ("root-list", Strings, ['["a"]', "[1]", "{}"]),
    ("root-dict", Mapping, ['{"a":1}', '{"a":"x","b":null}', "[]"]),
    ("int-keys", IntKeys, ['{"m":{"1":"a"}}', '{"m":{"x":1},"c":{"red":"x"},"p":{"z":1}}', '{"m":{},"c":{"green":1},"p":{"k1":1}}']),
    ("tool-result", ToolResult, ['{"result":[{"a":1}]}', '{"result":[1]}', '{"result":{}}', "{}"]),
]

ADAPTERS = [
    ("adapter-int", int, ["1", "1.0", '"x"']),
    ("adapter-optional-list", Optional[list[int]], ["null", "[1]", '["x"]']),
    ("adapter-literal", Literal["a", "b"], ['"a"', '"c"']),
    ("adapter-dict-any", dict[str, Any], ["{}", '{"a":1}', "[]"]),
    ("adapter-tuple", tuple[int, str, float], ['[1,"a",2.5]', '[1,"a"]', '["a",1,"x",4]']),
    ("adapter-nested-list", list[list[Annotated[int, Field(ge=0)]]], ["[[1]]", "[[-1]]", "[1]"]),
]


def write(name, schema, instances):
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    print('{"id":"pydantic-%s","family":"pydantic","schema":%s,"instances":[%s]}' % (name, text, ",".join(instances)))


for name, model, instances in MODELS:
    write(name, model.model_json_schema(mode="serialization"), instances)
    validation = model.model_json_schema(mode="validation", by_alias=name != "aliased")
    if validation != model.model_json_schema(mode="serialization"):
        write(name + "-input", validation, instances)
for name, kind, instances in ADAPTERS:
    write(name, TypeAdapter(kind).json_schema(), instances)
