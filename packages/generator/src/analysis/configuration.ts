import { dirname } from 'node:path';
import { problem, type Diagnostic } from '../diagnostics/index.js';
import { syntaxErrorsOf, ts } from './compiler.js';
import { brokenDecorators, decoratorFaults, type BrokenDecorators } from './decorator-settings.js';
import { diagnosticAt, startOf } from './locations.js';
import { withSlashes, type Project, type ProjectPaths } from './project.js';

/** The parts of a project's tsconfig that the generator needs. */
export interface Configuration {
  readonly options: ts.CompilerOptions;
  /** Equal for equal options. */
  readonly optionsKey: string;
  /** The tsconfig and those it extends. */
  readonly configFiles: ReadonlySet<string>;
  /** The sources below the source root, sorted, without tests and generated files. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** What to report if a source has a decorator. */
  readonly decoratorFaults: readonly Diagnostic[];
}

/** The settings of a tsconfig that decide whether the compiled service runs. Null: not set. */
export interface CompilerSettings {
  readonly target: string | null;
  readonly module: string | null;
  readonly experimentalDecorators: boolean;
  readonly strictNullChecks: boolean | null;
  /** The options that break decorators. */
  readonly brokenDecorators: readonly BrokenDecorators[];
}

/** The settings of a project's tsconfig, with those it extends; undefined if it cannot be read, which the generator reports. */
export function readCompilerSettings({ tsconfig }: Project): CompilerSettings | undefined {
  const path = withSlashes(tsconfig);
  const text = ts.sys.readFile(path);
  if (text === undefined) return undefined;
  const source = ts.readJsonConfigFile(path, () => text);
  const { options } = ts.parseJsonSourceFileConfigFileContent(source, ts.sys, dirname(path), undefined, path);
  const { target, module, experimentalDecorators = false, strict = null, strictNullChecks = strict } = options;
  return {
    // The newest target has two names.
    target:
      target === undefined ? null : target === ts.ScriptTarget.ESNext ? 'esnext' : nameOf(ts.ScriptTarget[target]),
    module: module === undefined ? null : nameOf(ts.ModuleKind[module]),
    experimentalDecorators,
    strictNullChecks,
    brokenDecorators: brokenDecorators(options),
  };
}

function nameOf(name: string): string {
  return name.toLowerCase();
}

export function readConfiguration(project: Project, paths: ProjectPaths): Configuration {
  const tsconfig = withSlashes(project.tsconfig);
  const shown = paths.shown(tsconfig);
  const text = ts.sys.readFile(tsconfig);
  if (text === undefined) {
    const missing = problem('SVC1401', shown, 'there is no such file');
    return configuration(quickOptions({}), [tsconfig], [], [diagnosticAt(startOf(shown), missing)], []);
  }
  const source = ts.readJsonConfigFile(tsconfig, () => text);
  const parsed = ts.parseJsonSourceFileConfigFileContent(
    source,
    ts.sys,
    withSlashes(dirname(project.tsconfig)),
    undefined,
    tsconfig,
  );
  const misread = syntaxErrorsOf(source);
  // Further errors are consequences of the syntax error.
  const errors = misread.length > 0 ? misread : parsed.errors;
  return configuration(
    quickOptions(parsed.options),
    [tsconfig, ...(source.extendedSourceFiles ?? [])],
    parsed.fileNames.filter((file) => isSource(file, paths)).toSorted(),
    errors.map((error) => configurationError(error, shown, paths)),
    decoratorFaults(parsed.options, source, paths),
  );
}

function configuration(
  options: ts.CompilerOptions,
  configFiles: readonly string[],
  files: readonly string[],
  diagnostics: readonly Diagnostic[],
  faults: readonly Diagnostic[],
): Configuration {
  return {
    options,
    optionsKey: JSON.stringify(options),
    configFiles: new Set(configFiles),
    files,
    diagnostics,
    decoratorFaults: faults,
  };
}

function isSource(file: string, paths: ProjectPaths): boolean {
  return (
    paths.isBelowSourceRoot(file) && /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !paths.isGenerated(file)
  );
}

/** Reads declarations only: no ambient types, no DOM, no emit. These would take half of the time. */
function quickOptions(options: ts.CompilerOptions): ts.CompilerOptions {
  return {
    ...options,
    types: [],
    lib: (options.lib ?? [defaultLibrary(options)]).filter((name) => !/^lib\.(?:dom|webworker|scripthost)/.test(name)),
    noEmit: true,
    skipLibCheck: true,
    skipDefaultLibCheck: true,
    composite: false,
    incremental: false,
    // Without strict null checks the checker cannot distinguish `string | null` from `string`.
    strict: true,
    strictNullChecks: true,
  };
}

/** `lib.es2022.full.d.ts` is the language with the DOM; without `full` it is only the language. */
function defaultLibrary(options: ts.CompilerOptions): string {
  return ts
    .getDefaultLibFileName(options)
    .replace('.full', '')
    .replace(/^lib\.d\.ts$/, 'lib.es5.d.ts');
}

function configurationError(error: ts.Diagnostic, shown: string, paths: ProjectPaths): Diagnostic {
  const reason = ts.flattenDiagnosticMessageText(error.messageText, ' ').replaceAll(`${paths.directory}/`, '');
  if (error.file === undefined || error.start === undefined) {
    return diagnosticAt(startOf(shown), problem('SVC1403', shown, reason));
  }
  const { line, character } = error.file.getLineAndCharacterOfPosition(error.start);
  const file = paths.shown(error.file.fileName);
  return diagnosticAt({ file, line: line + 1, column: character + 1 }, problem('SVC1403', file, reason));
}
