"""The console: a page in the browser for the graph, queries and tools, and the server of the page."""
