"""The console: a page in the browser that shows the graph, asks it and tries the tools, and the server of that page."""
