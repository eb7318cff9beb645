/** Classifies failed statements by SQLite's error codes. */

/** Kinds of failure by error code. Some versions of the library have only the message. */
const kinds = {
  /** Another connection holds a lock. */
  busy: { codes: [5], words: /database is locked/ },
  full: { codes: [13], words: /database or disk is full/ },
  readOnly: { codes: [8], words: /readonly database/ },
  io: { codes: [10], words: /disk I\/O error/ },
  damaged: { codes: [11, 26], words: /disk image is malformed|file is not a database/ },
} as const;

export type FailureKind = keyof typeof kinds;

export function failureKind(error: unknown): FailureKind | null {
  if (!(error instanceof Error)) return null;
  const code = errorCode(error);
  for (const [kind, { codes, words }] of Object.entries(kinds)) {
    // The low byte is the primary code. The rest is detail.
    const isIt = code === null ? words.test(error.message) : codes.includes((code & 0xff) as never);
    if (isIt) return kind as FailureKind;
  }
  return null;
}

/** A value does not fit the type of its column. */
const mismatch = 20;
const constraintDatatype = 3091;

export function isTypeMismatch(error: unknown): boolean {
  const code = errorCode(error);
  if (code === mismatch || code === constraintDatatype) return true;
  return (
    error instanceof Error && /^(?:cannot store \w+ value in|datatype mismatch|malformed JSON)/.test(error.message)
  );
}

/** Whether the error comes from SQLite. */
export function isSqliteError(error: unknown): boolean {
  return errorCode(error) !== null;
}

function errorCode(error: unknown): number | null {
  const { errcode } = (error instanceof Error ? error : {}) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode : null;
}

export function isMissingTable(error: unknown): boolean {
  return error instanceof Error && /no such table/.test(error.message);
}
