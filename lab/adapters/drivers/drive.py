"""What all Python drivers share: the plan, the servers, and a file of events."""
import asyncio
import json
import os
import re

RUN = os.environ["LAB_RUN"]


def read(name):
    with open(os.path.join(RUN, name), encoding="utf-8") as f:
        return json.load(f)


plan = read("plan.json")
servers = read("servers.json")


def event(**members):
    with open(os.path.join(RUN, "events.jsonl"), "a", encoding="utf-8") as f:
        f.write(json.dumps(members, ensure_ascii=False) + "\n")


def probe_of(description, name):
    """A tool is known by the tag in its description, one without by its name."""
    m = re.search(r"\[\[P:(\w+)\]\]", description or "")
    return m.group(1) if m else next((s["probe"] for s in plan if s.get("wire") == name), None)


def thrown(e):
    """What an error looks like to a program that catches it; of a group, its first."""
    while isinstance(e, BaseExceptionGroup) and e.exceptions:
        e = e.exceptions[0]
    code = getattr(getattr(e, "error", None), "code", None)
    return {"thrown": type(e).__name__, "message": str(e), "code": code}


async def patiently(awaitable, seconds=75):
    """Waits for a client that sets no limit of its own as long as others wait, and a little more."""
    try:
        async with asyncio.timeout(seconds):
            return await awaitable
    except TimeoutError as e:
        raise StillWaiting(f"the client was still waiting after {seconds} s; the driver gave up") from e


class StillWaiting(Exception):
    pass
