/** Hosts and commands in processes of their own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { run } from '@svc/cli';
import { bundledProgram } from '../bundled-program.js';
import { waitFor } from '../deploy/wait-for.js';

const host = await bundledProgram(new URL('trial-host.mjs', import.meta.url));
const command = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url));

export class Started {
  readonly child: ChildProcess;
  output = '';
  errors = '';
  /** The name of the signal that ended it, or the code it left with. */
  readonly ended: Promise<string | number | null>;

  constructor(file: string, args: readonly string[]) {
    const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    this.child = child;
    this.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
  }

  /** Waits for something in the output. */
  async prints(text: string | RegExp): Promise<void> {
    const has = (): boolean => (typeof text === 'string' ? this.output.includes(text) : text.test(this.output));
    await waitFor(has, `"${text}" in what it prints: ${this.output}${this.errors}`);
  }

  /** Tells a host something, and waits until it has heard. */
  async send(word: 'hold' | 'go'): Promise<void> {
    const heard = this.output.length;
    this.child.stdin!.write(`${word}\n`);
    await waitFor(() => this.output.slice(heard).includes(word), `the host hears "${word}"`);
  }
}

export async function startHost(kind: string, where: string, program: 'broken' | 'fixed'): Promise<Started> {
  const started = new Started(host, [kind, where, program]);
  await started.prints('started');
  return started;
}

/** The command as a process. */
export function startCommand(...args: string[]): Started {
  return new Started(command, args);
}

/** The command in this process, which is faster. */
export async function svc(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const lines = { out: [] as string[], error: [] as string[] };
  const code = await run(args, { out: (line) => lines.out.push(line), error: (line) => lines.error.push(line) });
  return { code, out: lines.out.join('\n'), error: lines.error.join('\n') };
}
