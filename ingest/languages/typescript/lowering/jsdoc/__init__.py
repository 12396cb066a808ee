"""Read types in the JSDoc comments of JavaScript files, and the links in all doc comments."""
