/** Where a command prints. */
export interface Terminal {
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
  /** Shows a line in place of the one it showed before, where somebody watches. Absent: nobody does. */
  readonly live?: (line: string) => void;
}

/** What a command ends with. Those above 2 are how a rollout can end. */
export const ExitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  reverted: 3,
  noData: 4,
  interrupted: 5,
  unreachable: 6,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
