"""Remakes the goldens of the Python shapes from the real mcp package.

    python python.py legacy < payloads.jsonl > mcp-python-1.jsonl
    python python.py modern < payloads.jsonl > mcp-python-2-modern.jsonl

Run with the interpreter of an environment that holds the version which the
shape's source names. Payloads go through the line reader of the stdio client and
a real ClientSession; the text is str() of what the session raises. A line that
the reader refuses leaves the request without an answer.
"""

import asyncio
import json
import sys
import warnings

import anyio
import mcp.types as types
from mcp.client.session import ClientSession
from mcp.shared.message import SessionMessage

warnings.simplefilter("ignore")
MODE = sys.argv[1]
METHODS = {"initialize": "initialize", "discover": "server/discover", "list": "tools/list", "result": "tools/call"}
NO_ANSWER = "(no answer: the message was dropped)"

if hasattr(types, "jsonrpc_message_adapter"):
    def read_line(line):
        return types.jsonrpc_message_adapter.validate_json(line, by_name=False)
else:
    def read_line(line):
        return types.JSONRPCMessage.model_validate_json(line)


def dumped(message):
    message = getattr(message, "root", message)
    return message.model_dump(by_alias=True, exclude_none=True)


async def says(part, payload):
    answers = {
        "initialize": '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}',
        "server/discover": '{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}',
        "tools/list": '{"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}',
        "tools/call": '{"content":[],"resultType":"complete"}',
        METHODS[part]: payload,
    }
    to_client, client_reads = anyio.create_memory_object_stream(10)
    client_writes, from_client = anyio.create_memory_object_stream(10)

    async def serve():
        async for item in from_client:
            message = dumped(item.message)
            if "id" not in message:
                continue
            line = '{"jsonrpc":"2.0","id":%s,"result":%s}' % (json.dumps(message["id"]), answers.get(message["method"], "{}"))
            try:
                await to_client.send(SessionMessage(read_line(line)))
            except Exception:
                pass  # as the stdio client: logged, and nobody answers

    async def use():
        async with ClientSession(client_reads, client_writes) as session:
            if MODE == "modern":
                await session.discover()
            else:
                await session.initialize()
            if part == "list":
                await session.list_tools()
            elif part == "result":
                # The tool is unknown to the session, so no schema is validated.
                await session.call_tool("plain", {})

    server = asyncio.ensure_future(serve())
    try:
        await asyncio.wait_for(use(), 1)
        return None
    except (asyncio.TimeoutError, TimeoutError):
        return NO_ANSWER
    except BaseException as error:  # noqa: BLE001: whatever the library raises is the answer
        while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
            error = error.exceptions[0]
        return str(error)
    finally:
        server.cancel()


# Raised after the parser accepted: the version is negotiated, input is asked for.
LATER = ("Unsupported protocol version", "Server returned InputRequiredResult", "No mutually supported")

for line in sys.stdin:
    item = json.loads(line)
    if item["part"] == ("initialize" if MODE == "modern" else "discover"):
        continue
    answer = {"id": item["id"]}
    text = asyncio.run(says(item["part"], item["payload"]))
    if text is not None and not text.startswith(LATER):
        answer["text"] = text
    print(json.dumps(answer, ensure_ascii=False))
