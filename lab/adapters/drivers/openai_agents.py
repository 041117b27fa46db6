"""Runs an agent of openai-agents with every server that lists at all."""
import asyncio
import os

from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerStdio, MCPServerStreamableHttp
from openai import AsyncOpenAI

from drive import event, plan, servers, thrown

set_tracing_disabled(True)


async def main():
    alive = []
    for server in servers:
        kind, params = MCPServerStdio, {"command": server["command"], "args": server["args"]}
        if server.get("url"):
            kind, params = MCPServerStreamableHttp, {"url": server["url"]}
        s = kind(name=server["name"], params=params, cache_tools_list=True, client_session_timeout_seconds=60)
        try:
            await s.connect()
            await s.list_tools()
            alive.append(s)
            event(event="listed", server=server["name"])
        except BaseException as e:
            event(event="lost", server=server["name"], **thrown(e))
    client = AsyncOpenAI(base_url=os.environ["LAB_MODEL"] + "/v1", api_key="fake", max_retries=0)
    agent = Agent(name="lab", instructions="lab", model=OpenAIChatCompletionsModel(model="fake-model", openai_client=client), mcp_servers=alive)
    result = await Runner.run(agent, "Call every probe tool.", max_turns=3 * len(plan) + 50)
    print("end:", result.final_output)


asyncio.run(main())
os._exit(0)
