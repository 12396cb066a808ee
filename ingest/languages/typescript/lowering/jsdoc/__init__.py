"""Types in the JSDoc comments of JavaScript files."""
