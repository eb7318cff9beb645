import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from '../failures.js';
import type { CommandDescription, OptionDescription } from './description.js';
import { Options } from './options.js';
import { didYouMean } from './suggestions.js';

export interface ParsedArguments {
  readonly options: Options;
  readonly positionals: readonly string[];
}

/** The options of a command, with those that all commands have. */
export function allOptions({ options, json }: CommandDescription): Readonly<Record<string, OptionDescription>> {
  return {
    ...options,
    ...(json !== null && { json: { summary: 'print JSON; an error is a JSON object on stderr' } }),
    help: { summary: 'print this help' },
  };
}

/** Parses the arguments of a command. The name is that of the last word of its path. */
export function parseArguments(
  name: string,
  description: CommandDescription,
  given: readonly string[],
): ParsedArguments {
  const options = allOptions(description);
  const args = withJoinedValues(options, given);
  rejectUnknown(options, args);
  const { values, positionals } = parsed({
    args,
    options: parserOptions(options),
    allowPositionals: true,
  });
  const expected = Object.values(description.arguments ?? {});
  if (positionals.length > expected.length && expected.at(-1)?.isRepeated !== true)
    throw new UsageError(`Unexpected argument "${positionals.at(-1)}" of ${name}.`);
  return { options: new Options(values, defaultsOf(options)), positionals };
}

/** Whether a flag is among the options, before `--` ends them. */
export function hasFlag(args: readonly string[], ...flags: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).some((arg) => flags.includes(arg));
}

/** Joins an option and its value if that begins with one dash, as one public key of 64 does. Node takes such a value for a short option. */
function withJoinedValues(options: Readonly<Record<string, OptionDescription>>, args: readonly string[]): string[] {
  const takesValue = new Set(
    Object.keys(options).flatMap((name) => (options[name]!.value === undefined ? [] : `--${name}`)),
  );
  const joined: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const [arg, next] = [args[i]!, args[i + 1]];
    if (arg === '--') return [...joined, ...args.slice(i)];
    if (next !== undefined && takesValue.has(arg) && /^-[^-]/.test(next)) {
      joined.push(`${arg}=${next}`);
      i++;
    } else {
      joined.push(arg);
    }
  }
  return joined;
}

function rejectUnknown(options: Readonly<Record<string, OptionDescription>>, args: readonly string[]): void {
  const { tokens } = parseArgs({
    args: [...args],
    options: parserOptions(options),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== 'option' || Object.hasOwn(options, token.name)) continue;
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`Unknown option '${token.rawName}'.${didYouMean(token.rawName, known)}`);
  }
}

type ParserOptions = NonNullable<ParseArgsConfig['options']>;

function parserOptions(options: Readonly<Record<string, OptionDescription>>): ParserOptions {
  return Object.fromEntries(
    Object.entries(options).map(([name, { value, isRepeated = false }]) => {
      const type = value === undefined ? 'boolean' : 'string';
      return [name, { type, multiple: isRepeated } as const];
    }),
  );
}

function defaultsOf(options: Readonly<Record<string, OptionDescription>>): Readonly<Record<string, string>> {
  const entries = Object.entries(options).filter(([, option]) => option.default !== undefined);
  return Object.fromEntries(entries.map(([name, option]) => [name, option.default!]));
}

function parsed(config: ParseArgsConfig): { values: Record<string, unknown>; positionals: string[] } {
  try {
    return parseArgs(config);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}
