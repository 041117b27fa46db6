"""The line protocol of `conform validate`, answered by the real jsonschema as the Python MCP SDK calls it.

    python runner.py python-jsonschema < requests > answers

In, one JSON text a line:    {"schema": ..., "instances": [ ... ]}
Out, one line each, in order: {"results":[{"valid":true},{"valid":false,"text":"..."},{"thrown":"Type: message"}]}
                           or {"compile_error":"..."}, or {"error":"..."} for a line that is no request.

The SDK's client (mcp 1.10 to 1.30) runs jsonschema.validate() on structuredContent. That call is taken
apart here (class by $schema, check_schema, best_match of iter_errors) so that a schema is checked once for
all its instances; `--session` sends every instance through the SDK's own ClientSession instead, which is how
the shortcut is shown to be one. `text` is str(error), what the SDK prints after
"Invalid structured content returned by tool t: ".
"""

import json
import sys
import urllib.request
import warnings

warnings.simplefilter("ignore")


def _no_network(*_args, **_kwargs):
    raise OSError("the oracle fetches nothing")


# jsonschema's default registry would fetch a remote $ref with urlopen.
urllib.request.urlopen = _no_network
urllib.request.OpenerDirector.open = _no_network

import jsonschema._keywords  # noqa: E402
import pydantic_core  # noqa: E402
from jsonschema.exceptions import SchemaError, best_match  # noqa: E402
from jsonschema.validators import validator_for  # noqa: E402


# additionalProperties walks a set of names, so which of several bad members is reported first hangs on the
# hash seed of the process. Of the orders that a real client may pick, this asks for the one of the document.
jsonschema._keywords.set = dict.fromkeys


def parse(text):
    """The value that the SDK's own parser makes of a message, or the standard library's.

    The SDK reads messages with pydantic's parser, which refuses more than about 200 levels; such a message
    never reaches the validator. The standard library's parser then shows what the validator would have said.
    """
    try:
        return pydantic_core.from_json(text)
    except ValueError:
        return json.loads(text)


def described(error):
    return f"{type(error).__name__}: {error}"


def direct(schema, instances):
    """jsonschema.validate(), with the work on the schema done once."""
    try:
        cls = validator_for(schema)
        cls.check_schema(schema)
        validator = cls(schema)
    except SchemaError as error:
        return {"compile_error": str(error)}
    except Exception as error:  # noqa: BLE001 - every escape is a verdict
        return {"compile_error": described(error)}
    return {"results": [_one(lambda: best_match(validator.iter_errors(instance))) for instance in instances]}


def _one(first_error):
    try:
        error = first_error()
        return {"valid": True} if error is None else {"valid": False, "text": str(error)}
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - rpds raises a bare PanicException when the stack is full
        return {"thrown": described(error)}


def through_session(schema, instances):
    """The same through mcp.ClientSession, prefix taken off again."""
    import anyio
    from mcp import ClientSession
    from mcp.types import CallToolResult

    session = ClientSession.__new__(ClientSession)
    session._tool_output_schemas = {"t": schema}
    bad_value = "Invalid structured content returned by tool t: "
    bad_schema = "Invalid schema for tool t: "
    results = []
    for instance in instances:
        result = CallToolResult.model_construct(content=[], structuredContent=instance, isError=False)
        try:
            anyio.run(session._validate_tool_result, "t", result)
            results.append({"valid": True})
        except RuntimeError as error:
            text = str(error)
            if text.startswith(bad_value):
                results.append({"valid": False, "text": text.removeprefix(bad_value)})
            elif text.startswith(bad_schema) and error.__cause__ is None:
                return {"compile_error": text.removeprefix(bad_schema)}
            else:
                results.append({"thrown": described(error.__cause__ or error)})
        except Exception as error:  # noqa: BLE001
            results.append({"thrown": described(error)})
    return {"results": results}


def members(line):
    """The raw texts of "schema" and of each instance: 1.0, 1e400 and duplicate keys survive."""
    scanner = json.JSONDecoder()
    found, at = {}, _skip(line, _expect(line, 0, "{"))
    while line[at] != "}":
        name, at = scanner.raw_decode(line, at)
        at = _skip(line, _expect(line, _skip(line, at), ":"))
        if name == "instances":
            found[name], at = _elements(line, at)
        else:
            end = _end_of_value(line, at)
            found[name], at = line[at:end], end
        at = _skip(line, at)
        if line[at] == ",":
            at = _skip(line, at + 1)
    return found["schema"], found["instances"]


def _elements(line, at):
    elements, at = [], _skip(line, _expect(line, at, "["))
    while line[at] != "]":
        end = _end_of_value(line, at)
        elements.append(line[at:end])
        at = _skip(line, end)
        if line[at] == ",":
            at = _skip(line, at + 1)
    return elements, at + 1


def _skip(line, at):
    while line[at] in " \t\r\n":
        at += 1
    return at


def _expect(line, at, char):
    at = _skip(line, at)
    if line[at] != char:
        raise ValueError(f"{char!r} was expected at offset {at}")
    return at + 1


def _end_of_string(line, at):
    at += 1
    while line[at] != '"':
        at += 2 if line[at] == "\\" else 1
    return at + 1


def _end_of_value(line, at):
    """Index just after the value at `at`. Iterative, so that depth is left to the parser under test."""
    start = at
    if line[at] == '"':
        return _end_of_string(line, at)
    if line[at] not in "{[":
        while line[at] not in " \t\r\n,]}":
            at += 1
        if at == start:
            raise ValueError(f"a value was expected at offset {at}")
        return at
    depth = 0
    while True:
        char = line[at]
        if char == '"':
            at = _end_of_string(line, at)
            continue
        if char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1


def judged(judge, schema, instances):
    """Parses the texts and asks `judge`. Nesting that no parser takes is a verdict, not a bad request."""
    try:
        document = parse(schema)
    except RecursionError as error:
        return {"compile_error": described(error)}
    values, unreadable = [], {}
    for place, text in enumerate(instances):
        try:
            values.append(parse(text))
        except RecursionError as error:
            unreadable[place] = {"thrown": described(error)}
    answer = judge(document, values)
    for place, result in unreadable.items():
        if "results" in answer:
            answer["results"].insert(place, result)
    return answer


def main(argv):
    profiles = [name for name in argv if not name.startswith("--")]
    if profiles != ["python-jsonschema"]:
        sys.exit("usage: python runner.py [--session] python-jsonschema")
    judge = through_session if "--session" in argv else direct
    for raw in sys.stdin.buffer:
        line = raw.decode("utf-8", "replace")
        if not line.strip():
            continue
        try:
            schema, instances = members(line)
            answer = judged(judge, schema, instances)
        except (ValueError, LookupError) as error:
            answer = {"error": described(error)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
