"""Declarations of the JavaScript runtime, which the type engine reads: ECMAScript, browsers, Node."""
