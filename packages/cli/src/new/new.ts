import { newService as create } from '@svc/create';
import type { Call } from '../command-line/description.js';
import { Rejection, UsageError } from '../failures.js';
import { ExitCode } from '../terminal.js';

export async function newService({ args, terminal }: Call): Promise<ExitCode> {
  let reason = '';
  const code = await create(args, { out: terminal.out, error: (line) => (reason = line) });
  // Without the help of `npm create`, which follows it.
  const [problem = ''] = reason.split('\n\n');
  if (code === ExitCode.usage) throw new UsageError(problem);
  if (code !== ExitCode.ok) throw new Rejection(problem);
  return code;
}
