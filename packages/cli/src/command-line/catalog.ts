/** All commands as plain data: what `svc help --json` prints, and what completion and the reference page are made of. */
import type { CommandDescription, ListedCommand } from './description.js';
import { commandPage, groupPage } from './help.js';
import { allOptions } from './parse.js';

export interface CatalogEntry {
  /** Such as `perspectives list`. */
  readonly path: string;
  readonly summary: string;
  readonly usage: string;
  readonly details: readonly string[];
  /** The names of its subcommands. */
  readonly commands: readonly string[];
  readonly arguments: readonly CatalogArgument[];
  readonly options: readonly CatalogOption[];
  /** What `--json` prints; null: it has no `--json`. */
  readonly json: string | null;
  readonly examples: readonly { readonly line: string; readonly summary: string }[];
  readonly exitCodes: readonly { readonly code: number; readonly meaning: string }[];
}

export interface CatalogArgument {
  readonly name: string;
  readonly summary: string;
  readonly values: readonly string[];
  readonly isOptional: boolean;
  readonly isRepeated: boolean;
}

export interface CatalogOption {
  readonly name: string;
  readonly summary: string;
  /** The placeholder of its value; null: it is a flag. */
  readonly value: string | null;
  readonly values: readonly string[];
  readonly default: string | null;
  readonly isRepeated: boolean;
}

export async function catalogOf(commands: Readonly<Record<string, ListedCommand>>): Promise<readonly CatalogEntry[]> {
  const entries: CatalogEntry[] = [];
  for (const [path, { summary, describe }] of Object.entries(commands)) {
    const description = await describe();
    if (!('commands' in description)) {
      entries.push(entryOf(path, summary, description));
      continue;
    }
    const { usage, details } = groupPage(path, summary, description);
    const subcommands = Object.entries(description.commands);
    entries.push(
      { path, summary, usage, details, ...nothing, commands: subcommands.map(([name]) => name) },
      ...subcommands.map(([name, subcommand]) => entryOf(`${path} ${name}`, subcommand.summary, subcommand)),
    );
  }
  return entries;
}

const nothing = { commands: [], arguments: [], options: [], json: null, examples: [], exitCodes: [] };

function entryOf(path: string, summary: string, description: CommandDescription): CatalogEntry {
  const { usage, details } = commandPage(path, summary, description);
  return {
    path,
    summary,
    usage,
    details,
    commands: [],
    arguments: Object.entries(description.arguments ?? {}).map(([name, argument]) => ({
      name,
      summary: argument.summary,
      values: argument.values ?? [],
      isOptional: argument.isOptional ?? false,
      isRepeated: argument.isRepeated ?? false,
    })),
    options: Object.entries(allOptions(description)).map(([name, option]) => ({
      name,
      summary: option.summary,
      value: option.value ?? null,
      values: option.values ?? [],
      default: option.default ?? null,
      isRepeated: option.isRepeated ?? false,
    })),
    json: description.json,
    examples: Object.entries(description.examples).map(([line, does]) => ({ line, summary: does })),
    exitCodes: Object.entries(description.exitCodes).map(([code, meaning]) => ({ code: Number(code), meaning })),
  };
}
