import { parseArgs } from 'node:util';
import { formatDiagnostic, Generator, loadProject, watchSources, type Generation, type Project } from '@svc/generator';
import { ExitCode, type Terminal } from './terminal.js';

export const generateHelp = `svc generate [--check | --watch] [--project <folder>]

Reads the commands, events, receptors and endpoints of a service and writes the code that serves them.

  --check             write nothing; fail if the generated files are not up to date
  --watch             generate again after every change, until interrupted
  --project <folder>  the folder of the service's package.json (default: the current folder)`;

export async function generate(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let options: { check: boolean; watch: boolean; project: string };
  try {
    options = parse(args);
  } catch (error) {
    terminal.error(`${error instanceof Error ? error.message : String(error)}\n\n${generateHelp}`);
    return ExitCode.usage;
  }
  const project = loadProject(options.project);
  if ('code' in project) {
    terminal.error(formatDiagnostic(project));
    return ExitCode.failed;
  }
  const generator = new Generator(project);
  if (options.check) return check(generator, terminal);
  const outcome = write(generator, terminal);
  if (!options.watch) return outcome;
  await watch(project, generator, terminal);
  return ExitCode.ok;
}

function parse(args: readonly string[]): { check: boolean; watch: boolean; project: string } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      check: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
      project: { type: 'string', default: '.' },
    },
  });
  if (values.check && values.watch) throw new Error('--check and --watch cannot be combined.');
  return values;
}

function write(generator: Generator, terminal: Terminal, changedFiles?: ReadonlySet<string>): ExitCode {
  const started = performance.now();
  const { diagnostics, files, drift } = generator.write(changedFiles);
  if (diagnostics.length > 0) return fail(diagnostics, terminal);
  const written = drift.missing.length + drift.different.length;
  const removed = drift.stale.length === 0 ? '' : `, ${drift.stale.length} removed`;
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  terminal.out(`${files} generated files: ${written} written${removed}, the rest up to date (${seconds} s).`);
  return ExitCode.ok;
}

function check(generator: Generator, terminal: Terminal): ExitCode {
  const { diagnostics, files, drift } = generator.check();
  if (diagnostics.length > 0) return fail(diagnostics, terminal);
  const lines = [
    ...drift.missing.map((path) => `missing    ${path}`),
    ...drift.different.map((path) => `different  ${path}`),
    ...drift.stale.map((path) => `stale      ${path}`),
  ];
  if (lines.length === 0) {
    terminal.out(`${files} generated files, all up to date.`);
    return ExitCode.ok;
  }
  terminal.error(`${lines.join('\n')}\n\nThe generated files are not up to date. Run svc generate.`);
  return ExitCode.failed;
}

function fail(diagnostics: Generation['diagnostics'], terminal: Terminal): ExitCode {
  for (const diagnostic of diagnostics) terminal.error(formatDiagnostic(diagnostic));
  const count = diagnostics.length === 1 ? '1 problem' : `${diagnostics.length} problems`;
  terminal.error(`\n${count}; nothing was written. docs/reference/diagnostics.md explains every code.`);
  return ExitCode.failed;
}

async function watch(project: Project, generator: Generator, terminal: Terminal): Promise<void> {
  const watcher = watchSources(project.sourceRoot, (files) => write(generator, terminal, files));
  terminal.out('Watching for changes. Press Ctrl-C to stop.');
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  watcher.close();
}
