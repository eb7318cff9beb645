import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

const marker = '--- the end of a block ---';

/** A shell that stays: variables and the folder of one block are there in the next. A command that fails ends it. */
export class SecondTerminal {
  readonly #shell: ChildProcessByStdio<Writable, Readable, null>;

  constructor(cwd: string, env: NodeJS.ProcessEnv) {
    this.#shell = spawn('sh', ['-e'], { cwd, env: { ...env, NO_COLOR: '1' }, stdio: ['pipe', 'pipe', 'ignore'] });
    this.#shell.stdout.setEncoding('utf8');
    this.#shell.stdin.write('exec 2>&1\n');
  }

  /** What a block of commands prints, on both outputs. */
  async run(commands: string): Promise<string> {
    const { stdin, stdout } = this.#shell;
    let printed = '';
    return await new Promise((resolve, reject) => {
      const onData = (text: string): void => {
        printed += text;
        if (!printed.includes(marker)) return;
        stdout.off('data', onData).off('end', onEnd);
        resolve(printed.slice(0, printed.indexOf(marker)).trimEnd());
      };
      const onEnd = (): void => reject(new Error(`The commands failed:\n${commands}\n\n${printed}`));
      stdout.on('data', onData).on('end', onEnd);
      // Without input: a command must not read the commands after it.
      stdin.write(`{ ${commands}\n} </dev/null; echo; echo '${marker}'\n`);
    });
  }

  async close(): Promise<void> {
    if (this.#shell.exitCode !== null || this.#shell.signalCode !== null) return;
    const ended = once(this.#shell, 'exit');
    this.#shell.stdin.end();
    this.#shell.stdout.resume();
    await ended;
  }
}
