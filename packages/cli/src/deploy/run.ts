import { DeployError } from '@svc/deploy';
import type { Run } from '../command-line/description.js';
import { Rejection } from '../failures.js';
import { ExitCode } from '../terminal.js';

/** The command with errors that svc reports. */
export function deployCommand(run: Run): Run {
  return async (call) => {
    try {
      return await run(call);
    } catch (error) {
      throw reportable(error);
    }
  };
}

const exitCodes: Readonly<Record<string, ExitCode>> = { invalid: ExitCode.usage, unreachable: ExitCode.unreachable };

function reportable(error: unknown): unknown {
  if (error instanceof DeployError) {
    return new Rejection(error.message, exitCodes[error.code] ?? ExitCode.failed, { cause: error });
  }
  const isAborted = error instanceof Error && error.name === 'AbortError';
  return isAborted ? new Rejection('Interrupted.', ExitCode.interrupted, { cause: error }) : error;
}
