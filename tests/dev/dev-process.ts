import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url));

/** Node cannot create terminals: this makes a pipe look like one. */
const asTerminal = 'data:text/javascript,Object.assign(process.stdin, { isTTY: true, setRawMode() {} })';

/** `svc dev` as a process, with what it printed. */
export class DevProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly ended: Promise<[code: number | null, signal: string | null]>;
  printed = '';

  /** With a folder of `programs`, its input is a terminal, and it starts programs of that folder first. */
  constructor(directory: string, port: number, programs?: string) {
    const path = [programs, process.env['PATH']].filter(Boolean).join(':');
    const args = [...(programs === undefined ? [] : ['--import', asTerminal]), program, 'dev', '--project', directory];
    this.child = spawn(process.execPath, args, { env: { PATH: path, PORT: String(port) }, stdio: 'pipe' });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.printed += text));
    }
    this.ended = once(this.child, 'exit') as Promise<[number | null, string | null]>;
  }

  press(keys: string): void {
    this.child.stdin.write(keys);
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
