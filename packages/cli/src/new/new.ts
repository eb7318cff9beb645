import { newService as create } from '@svc/create';
import type { Call } from '../command-line/description.js';
import type { ExitCode } from '../terminal.js';

export async function newService({ args, terminal }: Call): Promise<ExitCode> {
  return await create(args, terminal);
}
