"""Drives the client of FastMCP."""
import asyncio

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from drive import event, patiently, plan, probe_of, servers, thrown


async def drive(server):
    client = Client(server["url"] if server.get("url") else StdioTransport(command=server["command"], args=server["args"]))
    await patiently(client.__aenter__())
    try:
        found = {}
        for t in await patiently(client.list_tools()):
            raw = t.model_dump(mode="json", by_alias=True, exclude_none=True)
            event(event="tool", server=server["name"], name=t.name, description=t.description, schema=raw.get("inputSchema"), output=raw.get("outputSchema"))
            found.setdefault(probe_of(t.description, t.name), t.name)
        event(event="listed", server=server["name"])
        for step in plan:
            if step["probe"] not in found:
                continue
            try:
                r = await patiently(client.call_tool(found[step["probe"]], step["arguments"]))
                value = {"content": [b.model_dump(mode="json", by_alias=True, exclude_none=True) for b in r.content]}
                if r.structured_content is not None:
                    value["structuredContent"] = r.structured_content
                if r.meta is not None:
                    value["_meta"] = r.meta
                event(event="answer", probe=step["probe"], value=value)
            except Exception as e:
                event(event="answer", probe=step["probe"], **thrown(e))
    finally:
        await client.__aexit__(None, None, None)


async def main():
    for server in servers:
        try:
            await drive(server)
        except BaseException as e:
            event(event="lost", server=server["name"], **thrown(e))


asyncio.run(main())
