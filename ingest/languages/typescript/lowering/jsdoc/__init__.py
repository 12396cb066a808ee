"""Read types in the JSDoc comments of JavaScript files."""
