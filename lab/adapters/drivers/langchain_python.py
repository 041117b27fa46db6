"""Calls the tools of langchain-mcp-adapters as a tool node does."""
import asyncio
import json

from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_mcp_adapters.client import MultiServerMCPClient

from drive import event, patiently, plan, probe_of, servers, thrown


def blocks(content):
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def how(server):
    if server.get("url"):
        return {"transport": "streamable_http", "url": server["url"]}
    return {"transport": "stdio", "command": server["command"], "args": server["args"]}


async def main():
    found = {}
    for server in servers:
        try:
            client = MultiServerMCPClient({server["name"]: how(server)})
            for tool in await patiently(client.get_tools()):
                try:
                    f = convert_to_openai_tool(tool)["function"]
                except Exception:  # an agent with this tool cannot ask its model at all
                    continue
                event(event="tool", server=server["name"], name=f["name"], description=f.get("description"), schema=f.get("parameters"))
                found.setdefault(probe_of(tool.description, tool.name), tool)
            event(event="listed", server=server["name"])
        except BaseException as e:
            event(event="lost", server=server["name"], **thrown(e))
    for step in plan:
        tool = found.get(step["probe"])
        if tool is None:
            continue
        try:
            m = await patiently(tool.ainvoke({"type": "tool_call", "id": "call", "name": tool.name, "args": step["arguments"]}))
            parts = blocks(m.content)
            event(event="answer", probe=step["probe"], texts=[p["text"] for p in parts if p.get("type") == "text"],
                  images=sum("image" in p.get("type", "") for p in parts),
                  other=[p.get("type") for p in parts if p.get("type") != "text" and "image" not in p.get("type", "")],
                  is_error=m.status == "error", channel="artifact: " + json.dumps(m.artifact)[:500] if m.artifact else "")
        except Exception as e:
            event(event="answer", probe=step["probe"], **thrown(e))


asyncio.run(main())
