/** Follows the tutorial as a reader does: with two terminals and an editor, in a folder outside of this checkout. */
import { join } from 'node:path';
import { vi } from 'vitest';
import type { OutsideFolder } from '../outside-folder.js';
import { FirstTerminal } from './first-terminal.js';
import { comparable, isAmong, isAsShown } from './printed.js';
import { SecondTerminal } from './second-terminal.js';
import type { Step, TutorialPage } from './tutorial-page.js';

const waiting = { timeout: 30_000, interval: 100 };

/** What a page names, with what this machine has instead: addresses. */
export type Replacements = Readonly<Record<string, string>>;

export class Reader {
  readonly #folder: OutsideFolder;
  readonly #replacements: Replacements;
  readonly #second: SecondTerminal;
  #first: FirstTerminal | undefined;
  /** Files of the page that were not written yet: they are saved together, before the next command. */
  #unsaved: Map<string, string> = new Map();
  /** Where the output of the first terminal begins that belongs to the last command. */
  #seen = 0;

  constructor(folder: OutsideFolder, replacements: Replacements) {
    this.#folder = folder;
    this.#replacements = replacements;
    this.#second = new SecondTerminal(folder.directory, folder.env);
  }

  /** Does everything that a page says. Returns the milliseconds of each step. An error names the page and the line. */
  async follow({ path, steps }: TutorialPage): Promise<readonly number[]> {
    const durations: number[] = [];
    for (const [i, step] of steps.entries()) {
      const before = performance.now();
      try {
        await this.#do(step, steps[i + 1]);
      } catch (error) {
        throw new Error(`${path}:${step.line}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
      durations.push(performance.now() - before);
    }
    return durations;
  }

  async leave(): Promise<void> {
    await this.#first?.interrupt();
    await this.#second.close();
  }

  async #do(step: Step, next: Step | undefined): Promise<void> {
    switch (step.kind) {
      case 'write':
        this.#unsaved.set(step.path, step.text);
        return await this.#saveBefore(next);
      case 'edit':
        this.#unsaved.set(step.path, this.#edited(step));
        return await this.#saveBefore(next);
      case 'run':
        return await this.#run(step.commands, step.printed);
      case 'start':
        return await this.#start(step.commands, step.printed);
      case 'watch':
        return await this.#watch(step.printed);
      case 'stop':
        await this.#first?.interrupt();
        this.#first = undefined;
    }
  }

  #edited({ path, before, after }: Extract<Step, { kind: 'edit' }>): string {
    const text = this.#unsaved.get(path) ?? this.#folder.read(join('library', path));
    const [start, rest, ...more] = text.split(before);
    if (rest === undefined || more.length > 0) {
      throw new Error(
        `${path} must contain this once, not ${more.length + (rest === undefined ? 0 : 1)} times:\n${before}\n\n${text}`,
      );
    }
    return start + after + rest;
  }

  /** Saves the files, unless the next step is another one. svc dev then restarts the service, unless the page shows that it does not. */
  async #saveBefore(next: Step | undefined): Promise<void> {
    if (next?.kind === 'write' || next?.kind === 'edit') return;
    this.#seen = this.#first?.printed.length ?? 0;
    for (const [path, text] of this.#unsaved) this.#folder.write(join('library', path), text);
    const isSource = [...this.#unsaved.keys()].some((path) => path.startsWith('src/') && !path.endsWith('.test.ts'));
    this.#unsaved = new Map();
    if (isSource && next?.kind !== 'watch') await this.#restarted();
  }

  /** Waits until svc dev has restarted the service, if it runs. */
  async #restarted(): Promise<void> {
    if (this.#first?.command.endsWith(' dev') === true) await this.#watch('Restarted in 412 ms.');
  }

  async #run(commands: string, shown: string | null): Promise<void> {
    const isRepeatable = readsOnly(commands);
    this.#seen = this.#first?.printed.length ?? 0;
    const once = async (): Promise<void> => {
      const printed = this.#named(await this.#second.run(this.#actual(commands)));
      if (shown !== null && !isAsShown(shown, printed)) throw new Error(difference(commands, shown, printed));
    };
    // Models and reactions follow a moment after a command: a reader who sees the old state repeats the query.
    await (isRepeatable ? vi.waitFor(once, waiting) : once());
    if (/\bsvc add\b/.test(commands)) await this.#restarted();
  }

  async #start(command: string, shown: string | null): Promise<void> {
    if (this.#first?.isRunning === true)
      throw new Error('The first terminal is busy. The page must say: Press Ctrl-C.');
    const cwd = await this.#second.run('pwd');
    this.#first = new FirstTerminal(this.#actual(command), cwd, this.#folder.env);
    this.#seen = 0;
    await this.#watch(shown ?? '…');
  }

  async #watch(shown: string): Promise<void> {
    const first = this.#first;
    if (first === undefined) throw new Error('Nothing runs in the first terminal.');
    await vi.waitFor(() => {
      const printed = this.#named(first.printed.slice(this.#seen));
      if (!isAmong(shown, printed)) throw new Error(difference('the first terminal', shown, printed));
    }, waiting);
  }

  /** A text of the page with the addresses of this machine. */
  #actual(text: string): string {
    return Object.entries(this.#replacements).reduce((result, [name, value]) => result.replaceAll(name, value), text);
  }

  /** An output with the addresses of the page. */
  #named(text: string): string {
    return Object.entries(this.#replacements).reduce((result, [name, value]) => result.replaceAll(value, name), text);
  }
}

/** Whether commands change nothing but shell variables, so that a reader can repeat them. */
function readsOnly(commands: string): boolean {
  const isQuery = /^(?:curl (?!.* -d )|npx svc (?:audit query|\w+ (?:list|show|plan|status))\b|[A-Z]+=\$\(npx svc )/;
  return commands.split('\n').every((line) => line.startsWith(' ') || isQuery.test(line));
}

function difference(source: string, shown: string, printed: string): string {
  return `${source}\n--- the page shows ---\n${comparable(shown)}\n--- printed ---\n${comparable(printed)}`;
}
