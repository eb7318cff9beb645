import {
  formatDiagnostic,
  Generator,
  loadProject,
  watchProject,
  type Diagnostic,
  type Generation,
  type Project,
} from '@svc/generator';
import type { Call } from '../command-line/description.js';
import { UsageError } from '../failures.js';
import { paint } from '../styles.js';
import { ExitCode } from '../terminal.js';

const mostCodesShown = 5;

export async function generate(call: Call): Promise<ExitCode> {
  const { options } = call;
  if (options.flag('check') && options.flag('watch')) throw new UsageError('--check and --watch cannot be combined.');
  const documents = options.texts('documents');
  const project = loadProject(options.defaulted('project'), {
    client: options.text('client'),
    documents: documents.length === 0 ? undefined : documents,
  });
  if ('code' in project) return fail(call, [project], null);
  // The compiler blocks this process: the line must be there before it starts.
  call.terminal.live?.('Generating');
  const generator = new Generator(project);
  if (options.flag('check')) return check(call, generator);
  const outcome = write(call, generator);
  if (!options.flag('watch')) return outcome;
  await watch(call, project, generator);
  return ExitCode.ok;
}

function write(call: Call, generator: Generator, changedFiles?: ReadonlySet<string>): ExitCode {
  const started = performance.now();
  const generation = generator.write(changedFiles);
  const { diagnostics, files, drift } = generation;
  if (diagnostics.length > 0) return fail(call, diagnostics, generation);
  const written = drift.missing.length + drift.different.length;
  const removed = drift.stale.length === 0 ? '' : `, ${drift.stale.length} removed`;
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  if (call.json) print(call, generation);
  else call.terminal.out(`${files} generated files: ${written} written${removed}, the rest up to date (${seconds} s).`);
  return ExitCode.ok;
}

function check(call: Call, generator: Generator): ExitCode {
  const generation = generator.check();
  const { diagnostics, files, drift } = generation;
  if (diagnostics.length > 0) return fail(call, diagnostics, generation);
  const lines = [
    ...drift.missing.map((path) => `missing    ${path}`),
    ...drift.different.map((path) => `different  ${path}`),
    ...drift.stale.map((path) => `stale      ${path}`),
  ];
  if (call.json) print(call, generation);
  else if (lines.length === 0) call.terminal.out(`${files} generated files, all up to date.`);
  else call.terminal.error(`${lines.join('\n')}\n\nThe generated files are not up to date. Run svc generate.`);
  return lines.length === 0 ? ExitCode.ok : ExitCode.failed;
}

function fail(call: Call, diagnostics: readonly Diagnostic[], generation: Generation | null): ExitCode {
  const { json, terminal } = call;
  if (json) {
    print(call, generation ?? { files: 0, drift: { missing: [], different: [], stale: [] }, diagnostics });
    return ExitCode.failed;
  }
  for (const diagnostic of diagnostics) terminal.error(formatDiagnostic(diagnostic));
  const count = diagnostics.length === 1 ? '1 problem' : `${diagnostics.length} problems`;
  const codes = [...new Set(diagnostics.map(({ code }) => code))].slice(0, mostCodesShown);
  terminal.error(
    `\n${paint(terminal.colors?.error, 'red', `${count}; nothing was written.`)} To read more, run svc explain ${codes.join(' ')}.`,
  );
  return ExitCode.failed;
}

function print({ options, terminal }: Call, { files, drift, diagnostics }: Generation): void {
  const { missing, different, stale } = drift;
  const output = { files, missing, different, stale, diagnostics };
  terminal.out(options.flag('watch') ? JSON.stringify(output) : JSON.stringify(output, null, 2));
}

async function watch(call: Call, project: Project, generator: Generator): Promise<void> {
  const watcher = watchProject(project, (files) => write(call, generator, files));
  if (!call.json) call.terminal.out('Watching for changes. Press Ctrl-C to stop.');
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  watcher.close();
}
