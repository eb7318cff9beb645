import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { formatDiagnostic, loadProject, type Project } from '@svc/generator';
import { ExitCode, type Terminal } from '../terminal.js';
import { kinds, newSources, type Kind, type NewSource } from './new-source.js';

const addHelp = `svc add command|perspective|reaction|process <Name> [--in <folder>] [--project <folder>]

Writes the source of a class and its test into the source folder of a service. Files that exist are never changed.

  --in <folder>       a folder below the source folder (default: the source folder)
  --project <folder>  the folder of the service's package.json (default: the current folder)

Examples:
  svc add command ReturnBook --in books
  svc add reaction RemindMember`;

interface AddArguments {
  readonly kind: Kind;
  readonly name: string;
  readonly folder: string;
  readonly project: string;
}

export async function add(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  if (args.includes('--help')) {
    terminal.out(addHelp);
    return ExitCode.ok;
  }
  let read: AddArguments;
  try {
    read = readArguments(args);
  } catch (error) {
    terminal.error(`${messageOf(error)}\n\n${addHelp}`);
    return ExitCode.usage;
  }
  const project = loadProject(read.project);
  if ('code' in project) {
    terminal.error(formatDiagnostic(project));
    return ExitCode.failed;
  }
  const folder = relative(project.sourceRoot, resolve(project.sourceRoot, read.folder)).split(sep).join('/');
  if (folder === '..' || folder.startsWith('../')) {
    terminal.error(`--in must be a folder below ${shown(project, project.sourceRoot)}, not "${read.folder}".`);
    return ExitCode.usage;
  }
  const sources = newSources(read.kind, read.name, folder, project.namespace);
  try {
    writeAll(project, sources);
  } catch (error) {
    terminal.error(messageOf(error));
    return ExitCode.failed;
  }
  const paths = sources.map(({ path }) => shown(project, join(project.sourceRoot, path)));
  terminal.out(`Wrote ${paths.join(' and ')}.\n\n${nextSteps(read, project)}`);
  return ExitCode.ok;
}

function readArguments(args: readonly string[]): AddArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { in: { type: 'string', default: '' }, project: { type: 'string', default: '.' } },
  });
  const [given = '', name = '', ...rest] = positionals;
  const kind = kinds.find((known) => known === given);
  if (kind === undefined) throw new Error(`Say what to add: ${kinds.join(', ')}.`);
  if (rest.length > 0) throw new Error(`Expected one name, not ${rest.length + 1}.`);
  if (!/^[A-Z][A-Za-z0-9]{0,79}$/.test(name)) {
    throw new Error(
      `"${name.slice(0, 100)}" is not a valid name. Use letters and digits that begin with an upper-case letter, such as ReturnBook; at most 80.`,
    );
  }
  return { kind, name, folder: values.in, project: values.project };
}

/** Writes all or nothing. */
function writeAll({ sourceRoot }: Project, sources: readonly NewSource[]): void {
  const files = sources.map(({ path, text }) => ({ path: join(sourceRoot, path), text }));
  const existing = files.find(({ path }) => existsSync(path));
  if (existing !== undefined) throw new Error(`${existing.path} already exists. Choose another name or folder.`);
  const written: string[] = [];
  try {
    for (const { path, text } of files) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: 'wx' });
      written.push(path);
    }
  } catch (error) {
    for (const path of written) rmSync(path);
    throw error;
  }
}

function nextSteps({ kind, name }: AddArguments, { directory }: Project): string {
  const steps = [
    `Replace the properties and events of ${name} by yours. Stored events have the name of their class forever.`,
  ];
  if (kind === 'perspective') steps.push('The service runs perspectives after addServicePerspectives().');
  if (kind === 'reaction' || kind === 'process') steps.push('The service runs it after addServiceReactions().');
  if (!usesVitest(directory)) steps.push('The test needs vitest: npm install --save-dev vitest.');
  steps.push('Run svc generate and the tests: npm test. A running svc dev has the new file already.');
  return steps.join('\n');
}

function usesVitest(directory: string): boolean {
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    devDependencies?: Record<string, string>;
  };
  return manifest.devDependencies?.['vitest'] !== undefined;
}

function shown({ directory }: Project, path: string): string {
  return relative(directory, path).split(sep).join('/');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
