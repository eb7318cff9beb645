/** Where a command prints. */
export interface Terminal {
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
  /** Replaces the previous live line. Absent if the output is not a terminal. */
  readonly live?: (line: string) => void;
  /** Prints why the command failed. Default: `error`. */
  readonly failure?: (message: string, exitCode: ExitCode) => void;
  /** Whether each output may be coloured. Default: no. */
  readonly colors?: { readonly out: boolean; readonly error: boolean };
}

/** The exit codes of commands. */
export const ExitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  reverted: 3,
  noData: 4,
  interrupted: 5,
  unreachable: 6,
  tampered: 7,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** The terminal of a command with `--json`: stdout has only JSON, and a failure is a JSON object on stderr. */
export function jsonTerminal({ out, error }: Terminal): Terminal {
  return { out, error, failure: (message, exitCode) => error(JSON.stringify({ message, exitCode })) };
}
