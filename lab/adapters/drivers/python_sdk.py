"""Drives the client of the Python SDK (mcp)."""
import asyncio

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

from drive import event, patiently, plan, probe_of, servers, thrown


def connect(server):
    if server.get("url"):
        return streamablehttp_client(server["url"])
    return stdio_client(StdioServerParameters(command=server["command"], args=server["args"]))


async def drive(server):
    async with connect(server) as (r, w, *_), ClientSession(r, w) as session:
        await patiently(session.initialize())
        found, cursor = {}, None
        while True:
            page = await patiently(session.list_tools(cursor=cursor))
            for t in page.tools:
                raw = t.model_dump(mode="json", by_alias=True, exclude_none=True)
                event(event="tool", server=server["name"], name=t.name, description=t.description, schema=raw.get("inputSchema"), output=raw.get("outputSchema"))
                found.setdefault(probe_of(t.description, t.name), t.name)
            cursor = page.nextCursor
            if cursor is None:
                break
        event(event="listed", server=server["name"])
        for step in plan:
            if step["probe"] not in found:
                continue
            try:
                result = await patiently(session.call_tool(found[step["probe"]], step["arguments"]))
                event(event="answer", probe=step["probe"], value=result.model_dump(mode="json", by_alias=True, exclude_unset=True))
            except Exception as e:
                event(event="answer", probe=step["probe"], **thrown(e))


async def main():
    for server in servers:
        try:
            await drive(server)
        except BaseException as e:
            event(event="lost", server=server["name"], **thrown(e))


asyncio.run(main())
