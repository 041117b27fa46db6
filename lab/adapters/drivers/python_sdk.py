"""Drives the client of the Python SDK (mcp)."""
import asyncio

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from drive import event, plan, probe_of, servers, thrown


async def drive(server):
    params = StdioServerParameters(command=server["command"], args=server["args"])
    async with stdio_client(params) as (r, w), ClientSession(r, w) as session:
        await session.initialize()
        found, cursor = {}, None
        while True:
            page = await session.list_tools(cursor=cursor)
            for t in page.tools:
                raw = t.model_dump(mode="json", by_alias=True, exclude_none=True)
                event(event="tool", server=server["name"], name=t.name, description=t.description, schema=raw.get("inputSchema"), output=raw.get("outputSchema"))
                found.setdefault(probe_of(t.description), t.name)
            cursor = page.nextCursor
            if cursor is None:
                break
        event(event="listed", server=server["name"])
        for step in plan:
            if step["probe"] not in found:
                continue
            try:
                result = await session.call_tool(found[step["probe"]], step["arguments"])
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
