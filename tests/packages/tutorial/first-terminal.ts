import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { vi } from 'vitest';

/** A command that runs until Ctrl-C, as in a terminal: in a process group of its own, to which Ctrl-C sends its signal. */
export class FirstTerminal {
  printed = '';
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(
    readonly command: string,
    cwd: string,
    env: NodeJS.ProcessEnv,
  ) {
    this.#process = spawn('sh', ['-c', command], {
      cwd,
      env: { ...env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#ended = once(this.#process, 'close');
    for (const stream of [this.#process.stdout!, this.#process.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.printed += text));
    }
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Presses Ctrl-C. Throws if a process is left that the command started. */
  async interrupt(): Promise<void> {
    const group = -this.#process.pid!;
    if (this.isRunning) process.kill(group, 'SIGINT');
    await this.#ended;
    await vi.waitFor(() => {
      if (!isEmpty(group)) throw new Error(`"${this.command}" left a process behind after Ctrl-C.`);
    }, 10_000);
  }
}

/** Whether a process group has no process. */
function isEmpty(group: number): boolean {
  try {
    return !process.kill(group, 0);
  } catch {
    return true;
  }
}
