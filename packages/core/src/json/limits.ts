/** Limits that protect a host from large or deeply nested JSON. */

/** A response contains at most this many issues, so that a large invalid message cannot cause a larger response. */
export const maximumIssues = 100;

/** The maximum nesting of JSON from outside: generated readers, databases and `JSON.stringify` recurse, and must not overflow the stack. */
export const maximumDepth = 100;
