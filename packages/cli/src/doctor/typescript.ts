import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadProject, readCompilerSettings, type CompilerSettings } from '@svc/generator';
import { ok, problem, warning, type Finding } from './finding.js';
import { findPackage } from './installed.js';

const oldestMajor = 5;

/** Modules that Node runs as CommonJS. */
const commonJs = new Set(['none', 'commonjs', 'amd', 'umd', 'system']);

export function checkTypeScript(folder: string): readonly Finding[] {
  return [versionOf(folder), ...settingsOf(folder)];
}

function versionOf(folder: string): Finding {
  const check = 'typescript';
  const found = findPackage('typescript', folder);
  const fix = 'Run npm install --save-dev typescript.';
  if (found === null) return warning(check, 'typescript is not installed here, so this folder cannot be built.', fix);
  const major = Number(found.version.split('.')[0]);
  if (major < oldestMajor)
    return problem(check, `TypeScript ${found.version} has no standard decorators.`, `Use ${oldestMajor}.0 or later.`);
  return ok(check, `TypeScript ${found.version}`);
}

function settingsOf(folder: string): readonly Finding[] {
  const check = 'tsconfig';
  const project = loadProject(folder);
  if ('code' in project) return [problem(check, project.message, 'Fix package.json.')];
  const settings = readCompilerSettings(project);
  if (settings === undefined)
    return [problem(check, `${project.tsconfig} does not exist.`, 'Create it, or set "svc": { "tsconfig" }.')];
  const findings = [moduleOf(settings, folder), draftOf(settings), strictOf(settings)];
  const wrong = [...brokenBy(settings), ...findings.filter((finding) => finding !== null)];
  return wrong.length > 0
    ? wrong
    : [ok(check, `target ${settings.target ?? 'default'}, module ${settings.module ?? 'default'}`)];
}

/** Options that compile but do not run. */
function brokenBy({ brokenDecorators }: CompilerSettings): readonly Finding[] {
  return brokenDecorators.map(({ setting, written, effect, fix }) =>
    problem(`tsconfig ${setting}`, `${written} ${effect}.`, `${fix}.`),
  );
}

function moduleOf({ module }: CompilerSettings, folder: string): Finding | null {
  const { type } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { type?: string };
  if (type !== 'module' || module === null || !commonJs.has(module)) return null;
  const what = `module ${module} writes CommonJS, but package.json has "type": "module", so Node cannot run the output.`;
  return problem('tsconfig module', what, 'Set "module": "nodenext".');
}

function draftOf({ experimentalDecorators }: CompilerSettings): Finding | null {
  if (!experimentalDecorators) return null;
  const what =
    'experimentalDecorators selects decorators of a draft. Those of svc work with it, but it also changes decorators of other libraries.';
  return warning('tsconfig decorators', what, 'Remove experimentalDecorators unless another library needs it.');
}

function strictOf({ strictNullChecks }: CompilerSettings): Finding | null {
  if (strictNullChecks !== false) return null;
  const what = 'Without strict null checks, the compiler accepts null where svc rejects it.';
  return warning('tsconfig strict', what, 'Set "strict": true.');
}
