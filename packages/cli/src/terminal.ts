/** Where a command prints. */
export interface Terminal {
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
}

/** What a command ends with. */
export const ExitCode = { ok: 0, failed: 1, usage: 2 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
