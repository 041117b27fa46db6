"""A server of the Python SDK v2: stock.py stdio | http PORT | sse PORT."""

import sys
from pydantic import BaseModel
from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations

server = MCPServer("stock", version="1.0.0")


class Stock(BaseModel):
    count: int
    ratio: float


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def count_stock(place: str = "north") -> Stock:
    """Counts what lies in a place."""
    return Stock(count=9007199254740991, ratio=1.5)


@server.tool(annotations=ToolAnnotations(destructive_hint=True))
def clear_stock(place: str) -> str:
    """Clears a place."""
    print("clear_stock was called", file=sys.stderr)
    return "done"


if sys.argv[1] == "stdio":
    server.run("stdio")
else:
    server.run({"http": "streamable-http", "sse": "sse"}[sys.argv[1]], host="127.0.0.1", port=int(sys.argv[2]))
