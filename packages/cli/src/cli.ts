import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandDescription, GroupDescription } from './command-line/description.js';
import { commandPage, groupPage, listPage, pageText, type HelpPage } from './command-line/help.js';
import { hasFlag, parseArguments } from './command-line/parse.js';
import { withElapsedTime } from './command-line/progress.js';
import { didYouMean } from './command-line/suggestions.js';
import { commands } from './commands.js';
import { report, UsageError } from './failures.js';
import { packageFolder } from './package-folder.js';
import { paint } from './styles.js';
import { ExitCode, jsonTerminal, type Terminal } from './terminal.js';

/** Runs the `svc` command and returns its exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const shown = hasFlag(args, '--json') ? jsonTerminal(terminal) : terminal;
  try {
    return await runLine(args, terminal, shown);
  } catch (error) {
    return await report(error, '', shown);
  }
}

/** `shown` is where a command prints; help and versions are text even with `--json`. */
async function runLine(args: readonly string[], terminal: Terminal, shown: Terminal): Promise<ExitCode> {
  const [first, ...rest] = args;
  if (first === '--version') return print(version(), terminal);
  if (first === undefined || first === '--help' || first === '-h' || (first === 'help' && rest.length === 0))
    return printPage(listPage(commands), terminal);
  if (first === 'help' && rest[0] === '--json') return await printCatalog(terminal);
  if (first === 'help') return await runLine([...rest, '--help'], terminal, shown);
  if (!Object.hasOwn(commands, first)) {
    const unknown = new UsageError(`Unknown command "${first}".${didYouMean(first, Object.keys(commands))}`);
    return await report(unknown, '', shown);
  }
  const { summary, describe } = commands[first]!;
  const description = await describe();
  return 'commands' in description
    ? await runInGroup({ path: first, summary, description }, rest, shown)
    : await runCommand({ path: first, summary, description }, rest, shown);
}

interface Found<T> {
  readonly path: string;
  readonly summary: string;
  readonly description: T;
}

async function runInGroup(
  { path, summary, description }: Found<GroupDescription>,
  [name, ...rest]: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h')
    return printPage(groupPage(path, summary, description), terminal);
  if (!Object.hasOwn(description.commands, name)) {
    const similar = didYouMean(name, Object.keys(description.commands));
    return await report(new UsageError(`Unknown command "svc ${path} ${name}".${similar}`), path, terminal);
  }
  const subcommand = description.commands[name]!;
  return await runCommand(
    { path: `${path} ${name}`, summary: subcommand.summary, description: subcommand },
    rest,
    terminal,
  );
}

async function runCommand(
  { path, summary, description }: Found<CommandDescription>,
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  if (hasFlag(args, '--help', '-h')) return printPage(commandPage(path, summary, description), terminal);
  try {
    const { options, positionals } = parseArguments(path.split(' ').at(-1)!, description, args);
    const json = options.flag('json');
    return await withElapsedTime(path, terminal, async (within) => {
      const command = await description.load();
      return await command({ path, args, options, positionals, json, terminal: within });
    });
  } catch (error) {
    return await report(error, path, terminal);
  }
}

/** All commands with their options, examples and exit codes. */
async function printCatalog(terminal: Terminal): Promise<ExitCode> {
  const { catalogOf } = await import('./command-line/catalog.js');
  return print(JSON.stringify({ version: version(), commands: await catalogOf(commands) }, null, 2), terminal);
}

function printPage(page: HelpPage, terminal: Terminal): ExitCode {
  return print(
    pageText(page, (heading) => paint(terminal.colors?.out, 'bold', heading)),
    terminal,
  );
}

function print(text: string, terminal: Terminal): ExitCode {
  terminal.out(text);
  return ExitCode.ok;
}

function version(): string {
  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}
