import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url));

/** `svc dev` as a process, with what it printed. */
export class DevProcess {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<[code: number | null, signal: string | null]>;
  printed = '';

  constructor(directory: string, port: number) {
    const env = { PATH: process.env['PATH'], PORT: String(port) };
    this.child = spawn(process.execPath, [program, 'dev', '--project', directory], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.printed += text));
    }
    this.ended = once(this.child, 'exit') as Promise<[number | null, string | null]>;
  }

  /** The processes that it started and that still run: the service, and the next one. */
  get children(): number[] {
    const { pid } = this.child;
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return list.trim().split(' ').filter(Boolean).map(Number);
  }
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
