import { fileURLToPath } from 'node:url';
import { run, type Terminal } from '@svc/cli';

/** The built command, for tests that need a process. */
export const bin = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url));

export interface Answer {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs a command in this process. */
export async function svc(args: readonly string[], settings: Omit<Terminal, 'out' | 'error'> = {}): Promise<Answer> {
  const [out, error]: [string[], string[]] = [[], []];
  const terminal = { out: (line: string) => void out.push(line), error: (line: string) => void error.push(line) };
  const code = await run(args, { ...terminal, ...settings });
  return { code, out: out.join('\n'), error: error.join('\n') };
}

export interface Entry {
  readonly path: string;
  readonly commands: readonly string[];
  readonly options: readonly { readonly name: string; readonly value: string | null }[];
  readonly json: string | null;
  readonly examples: readonly { readonly line: string }[];
  readonly exitCodes: readonly { readonly code: number }[];
}

/** The commands of `svc help --json`. */
export async function catalog(): Promise<readonly Entry[]> {
  const { commands } = JSON.parse((await svc(['help', '--json'])).out) as { commands: readonly Entry[] };
  return commands;
}
