import type { CatalogEntry, CatalogOption } from '../command-line/catalog.js';

/** What can follow a command. */
export interface Completions {
  /** The command; empty: `svc` itself. */
  readonly path: string;
  /** Subcommands, or the possible values of arguments. */
  readonly words: readonly Word[];
  readonly options: readonly CompletedOption[];
  /** Whether it has subcommands. */
  readonly isGroup: boolean;
}

export interface Word {
  readonly text: string;
  readonly summary: string;
}

export interface CompletedOption {
  readonly name: string;
  readonly summary: string;
  /** What its value can be; null: it is a flag. */
  readonly value: 'file' | 'any' | readonly string[] | null;
}

const files = new Set(['<file>', '<folder>', '<database>']);
const help: CompletedOption = { name: 'help', summary: 'print the help', value: null };

export function completionsOf(catalog: readonly CatalogEntry[]): readonly Completions[] {
  const top = catalog.filter(({ path }) => !path.includes(' ')).map(({ path, summary }) => ({ text: path, summary }));
  const version: CompletedOption = { name: 'version', summary: 'print the version', value: null };
  return [
    {
      path: '',
      words: [...top, { text: 'help', summary: 'print the help of a command' }],
      options: [help, version],
      isGroup: false,
    },
    { path: 'help', words: top, options: [], isGroup: false },
    ...catalog.map((entry) => of(entry, catalog)),
  ];
}

function of(entry: CatalogEntry, catalog: readonly CatalogEntry[]): Completions {
  const subcommands = entry.commands.map((name) => {
    const { summary } = catalog.find(({ path }) => path === `${entry.path} ${name}`)!;
    return { text: name, summary };
  });
  const values = entry.arguments.flatMap(({ values: possible, summary }) =>
    possible.map((text) => ({ text, summary })),
  );
  const isGroup = subcommands.length > 0;
  return {
    path: entry.path,
    words: [...subcommands, ...values],
    options: isGroup ? [help] : entry.options.map(optionOf),
    isGroup,
  };
}

function optionOf({ name, summary, value, values }: CatalogOption): CompletedOption {
  if (value === null) return { name, summary, value };
  return { name, summary, value: values.length > 0 ? values : files.has(value) ? 'file' : 'any' };
}

/** A text in single quotes, as bash and zsh read it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
