import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { formatDiagnostic, loadProject, type Project } from '@svc/generator';
import type { Call } from '../command-line/description.js';
import type { Options } from '../command-line/options.js';
import { didYouMean } from '../command-line/suggestions.js';
import { Rejection, UsageError } from '../failures.js';
import { ExitCode } from '../terminal.js';
import { kinds, type Kind } from './kinds.js';
import { newSources, type NewSource } from './new-source.js';

interface AddArguments {
  readonly kind: Kind;
  readonly name: string;
  readonly folder: string;
  readonly project: string;
}

export async function add({ options, positionals, json, terminal }: Call): Promise<ExitCode> {
  const read = readArguments(options, positionals);
  const project = loadProject(read.project);
  if ('code' in project) throw new Rejection(formatDiagnostic(project));
  const folder = relative(project.sourceRoot, resolve(project.sourceRoot, read.folder)).split(sep).join('/');
  if (folder === '..' || folder.startsWith('../')) {
    throw new UsageError(`--in must be a folder below ${shown(project, project.sourceRoot)}, not "${read.folder}".`);
  }
  const sources = newSources(read.kind, read.name, folder, project.namespace);
  writeAll(project, sources);
  const written = sources.map(({ path }) => shown(project, join(project.sourceRoot, path)));
  if (json) terminal.out(JSON.stringify({ written }));
  else terminal.out(`Wrote ${written.join(' and ')}.\n\n${nextSteps(read, project)}`);
  return ExitCode.ok;
}

function readArguments(options: Options, [given = '', name = '']: readonly string[]): AddArguments {
  const kind = kinds.find((known) => known === given);
  if (kind === undefined) throw new UsageError(`Say what to add: ${kinds.join(', ')}.${didYouMean(given, kinds)}`);
  if (!/^[A-Z][A-Za-z0-9]{0,79}$/.test(name)) {
    throw new UsageError(
      `"${name.slice(0, 100)}" is not a valid name. Use letters and digits that begin with an upper-case letter, such as ReturnBook; at most 80.`,
    );
  }
  return { kind, name, folder: options.text('in') ?? '', project: options.defaulted('project') };
}

/** Rejects a class that another source has: in a service, the names of messages, perspectives and reactions are unique. */
function requireNewNames(project: Project, sources: readonly NewSource[]): void {
  const added = new Set(sources.filter(({ path }) => isSource(path)).flatMap(({ text }) => classesIn(text)));
  for (const path of readdirSync(project.sourceRoot, { recursive: true, encoding: 'utf8' })) {
    if (!isSource(path)) continue;
    const name = classesIn(readFileSync(join(project.sourceRoot, path), 'utf8')).find((each) => added.has(each));
    if (name === undefined) continue;
    throw new Rejection(
      `${shown(project, join(project.sourceRoot, path))} already has a class ${name}. In a service, the names of messages, perspectives and reactions are unique. Choose another name.`,
    );
  }
}

/** Whether a path is that of a source that the generator reads. */
function isSource(path: string): boolean {
  const isOther = ['.test.ts', '.d.ts'].some((ending) => path.endsWith(ending));
  return path.endsWith('.ts') && !isOther && !path.split(sep).includes('generated');
}

/** The exported classes of a source. */
function classesIn(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const [first, ...words] = line.trimEnd().split(' ');
    const at = words.indexOf('class');
    // `export abstract class` has one word in between.
    return first === 'export' && (at === 0 || at === 1) ? (words[at + 1]?.split('<')[0] ?? []) : [];
  });
}

/** Writes all or nothing. */
function writeAll(project: Project, sources: readonly NewSource[]): void {
  const { sourceRoot } = project;
  const files = sources.map(({ path, text }) => ({ path: join(sourceRoot, path), text }));
  const existing = files.find(({ path }) => existsSync(path));
  if (existing !== undefined) throw new Rejection(`${existing.path} already exists. Choose another name or folder.`);
  requireNewNames(project, sources);
  const written: string[] = [];
  try {
    for (const { path, text } of files) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { flag: 'wx' });
      written.push(path);
    }
  } catch (error) {
    for (const path of written) rmSync(path);
    throw new Rejection(error instanceof Error ? error.message : String(error), ExitCode.failed, { cause: error });
  }
}

function nextSteps({ kind, name }: AddArguments, { directory }: Project): string {
  const steps = [
    `Replace the properties and events of ${name} with yours. Stored events have the name of their class forever.`,
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
