import { formatDiagnostic, Generator, loadProject } from '@svc/generator';
import { counted } from '../counted.js';
import { ok, problem, skipped, type Finding } from './finding.js';

const check = 'generated code';

export function checkGenerated(folder: string): readonly Finding[] {
  const project = loadProject(folder);
  if ('code' in project) return [skipped(check, 'the settings cannot be read')];
  const { diagnostics, files, drift } = new Generator(project).check();
  const [first] = diagnostics;
  if (first !== undefined) {
    const more = diagnostics.length === 1 ? '' : ` And ${diagnostics.length - 1} more.`;
    return [problem(check, `${formatDiagnostic(first)}${more}`, `Run svc generate, and svc explain ${first.code}.`)];
  }
  const changed = [...drift.missing, ...drift.different, ...drift.stale];
  if (changed.length === 0) return [ok(check, `${counted(files, 'file')}, all up to date`)];
  return [
    problem(
      check,
      `not up to date: ${changed.length} of ${counted(files, 'file')}, such as ${changed[0]}`,
      'Run svc generate.',
    ),
  ];
}
