/**
 * @file Everything about comments.
 * @license MIT
 */

// A block of
// two lines.

// Attached to the constant.
const attached = 1 // trailing

/* between */

/**
 * Documented, then a blank line.
 */

export function documented() {
  // inside
  return attached
}
/* before */ const after = 2 /* behind */
// ---------------------------------------------------------------------------
// Section
// ---------------------------------------------------------------------------

class WithComments {
  // first field
  a = 1

  /** Second. */
  b = 2 // trailing b

  /**
   * A method.
   * With two lines.
   */
  method() {} // trailing method

  // at the end
}

/** Attached to nothing. */
