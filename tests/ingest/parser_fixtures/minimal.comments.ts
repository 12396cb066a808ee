// Types moved to ./types.
// Nothing is left here.

/*
 * Kept so that old imports
 * still resolve.
 */

/** A doc comment that documents nothing. */
