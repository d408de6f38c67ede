"""The MCP server: data and verbs of all domains for AI assistants."""
