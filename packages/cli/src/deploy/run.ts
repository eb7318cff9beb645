import { DeployError } from '@svc/deploy';
import type { Run } from '../command-line/description.js';
import { Rejection, UsageError } from '../failures.js';
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

function reportable(error: unknown): unknown {
  if (error instanceof DeployError) {
    if (error.code === 'invalid') return new UsageError(error.message, { cause: error });
    const exitCode = error.code === 'unreachable' ? ExitCode.unreachable : ExitCode.failed;
    return new Rejection(error.message, exitCode, { cause: error });
  }
  const isAborted = error instanceof Error && error.name === 'AbortError';
  return isAborted ? new Rejection('Interrupted.', ExitCode.interrupted, { cause: error }) : error;
}
