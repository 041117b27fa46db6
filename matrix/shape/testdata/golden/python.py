"""Remakes the goldens of the Python shapes from the real mcp package.

    python python.py 1|2 < payloads.jsonl > mcp-python-1.jsonl

Run with the interpreter of an environment that holds the version which the
shape's source names. Each answer is parsed as ClientSession does: model_validate
of the parsed JSON; the text is str(error).
"""

import json
import sys

import mcp.types as types
from pydantic import TypeAdapter

PARTS = {
    "initialize": types.InitializeResult,
    "list": types.ListToolsResult,
    "result": types.CallToolResult,
}
if hasattr(types, "DiscoverResult"):
    PARTS["discover"] = types.DiscoverResult

for line in sys.stdin:
    item = json.loads(line)
    model = PARTS.get(item["part"])
    if model is None:
        continue
    answer = {"id": item["id"]}
    try:
        TypeAdapter(model).validate_python(json.loads(item["payload"]))
    except Exception as error:  # noqa: BLE001: whatever the library raises is the answer
        answer["text"] = str(error)
    print(json.dumps(answer, ensure_ascii=False))
