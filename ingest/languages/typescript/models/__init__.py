"""What the object mappers of TypeScript and JavaScript share: names, chains of calls, references, and plurals."""
