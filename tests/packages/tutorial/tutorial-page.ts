/** A page of docs/tutorial as what a reader does: the blocks of the page, and the keys that its text names, in their order. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One thing that a reader does or sees. `line`: where the page says so. */
export type Step = { readonly line: number } & (
  | {
      /** A block of commands in the second terminal. `printed`: what the page shows as its output; null: nothing. */
      readonly kind: 'run';
      readonly commands: string;
      readonly printed: string | null;
    }
  | {
      /** A command in the first terminal, which runs until Ctrl-C. */
      readonly kind: 'start';
      readonly commands: string;
      readonly printed: string | null;
    }
  | { /** What the first terminal shows. */ readonly kind: 'watch'; readonly printed: string }
  | { /** Ctrl-C in the first terminal. */ readonly kind: 'stop' }
  | { /** A whole file. */ readonly kind: 'write'; readonly path: string; readonly text: string }
  | {
      /** A change of a file, as a diff without positions. */
      readonly kind: 'edit';
      readonly path: string;
      readonly before: string;
      readonly after: string;
    }
);

export interface TutorialPage {
  /** Such as `docs/tutorial/create.md`. */
  readonly path: string;
  readonly steps: readonly Step[];
}

export function readTutorialPage(name: string): TutorialPage {
  const path = `docs/tutorial/${name}.md`;
  const text = readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');
  return { path, steps: stepsOf(text, path) };
}

interface Block {
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The paragraph before it. */
  readonly lead: string;
}

/** The steps of a page. Throws if it has a block that a reader could not follow. */
export function stepsOf(page: string, path: string): Step[] {
  const steps: Step[] = [];
  for (const part of partsOf(page)) {
    if (typeof part === 'number') {
      steps.push({ kind: 'stop', line: part });
      continue;
    }
    const { line, language, text, lead } = part;
    const isFirstTerminal = lead.includes('first terminal');
    const file = /`([\w./-]+)`:$/.exec(lead)?.[1];
    if (language === 'text') {
      const last = steps.at(-1);
      if (isFirstTerminal && last?.kind !== 'start') steps.push({ kind: 'watch', line, printed: text });
      else if ((last?.kind === 'run' || last?.kind === 'start') && last.printed === null) {
        steps[steps.length - 1] = { ...last, printed: text };
      } else throw new Error(`${path}:${line}: no command prints this. Say that the first terminal shows it.`);
    } else if (language === 'sh') {
      steps.push({ kind: isFirstTerminal ? 'start' : 'run', line, commands: text, printed: null });
    } else if (file === undefined) {
      throw new Error(`${path}:${line}: the paragraph before a file must end with its path: \`src/x.ts\`:`);
    } else if (language === 'diff') {
      steps.push({ kind: 'edit', line, path: file, before: sideOf(text, '-'), after: sideOf(text, '+') });
    } else {
      steps.push({ kind: 'write', line, path: file, text: `${text}\n` });
    }
  }
  return steps;
}

/** The blocks of a page, and the lines at which its text says to press Ctrl-C. */
function partsOf(page: string): (Block | number)[] {
  const parts: (Block | number)[] = [];
  const lines = page.split('\n');
  let lead = '';
  for (let i = 0; i < lines.length; i++) {
    const [, language] = /^```(\w+)$/.exec(lines[i]!) ?? [];
    if (language !== undefined) {
      const end = lines.indexOf('```', i);
      parts.push({ line: i + 1, language, text: lines.slice(i + 1, end).join('\n'), lead: lead.trim() });
      i = end;
      lead = '';
    } else if (lines[i] === '') {
      if (lines[i + 1]?.startsWith('```') !== true) lead = '';
    } else {
      lead += ` ${lines[i]!}`;
      if (lines[i]!.includes('Press Ctrl-C')) parts.push(i + 1);
    }
  }
  return parts;
}

/** The text before (`-`) or after (`+`) a change: lines of a diff without their first character. */
function sideOf(diff: string, sign: '-' | '+'): string {
  const lines = diff.split('\n').filter((line) => line === '' || line[0] === ' ' || line[0] === sign);
  return lines.map((line) => line.slice(1)).join('\n');
}
