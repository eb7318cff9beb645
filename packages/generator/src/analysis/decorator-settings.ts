import { problem, type Diagnostic } from '../diagnostics/index.js';
import { ts } from './compiler.js';
import { diagnosticAt, locationAt, startOf, type Location } from './locations.js';
import type { ProjectPaths } from './project.js';

/** A compiler option with which decorators compile to code that Node cannot run. */
export interface BrokenDecorators {
  /** Its name, such as `target`. */
  readonly setting: string;
  /** The option as it is written. */
  readonly written: string;
  readonly effect: string;
  readonly fix: string;
}

/** The compiler options that break decorators. Nothing, if another tool writes the code. */
export function brokenDecorators(options: ts.CompilerOptions): readonly BrokenDecorators[] {
  if (options.noEmit === true || options.emitDeclarationOnly === true) return [];
  return [
    ...(leavesDecorators(options) ? [esnext] : []),
    ...(options.noEmitHelpers === true && options.importHelpers !== true ? [noHelpers] : []),
  ];
}

const esnext: BrokenDecorators = {
  setting: 'target',
  written: '"target": "esnext"',
  effect: 'leaves decorators in the compiled code, and Node cannot run them',
  fix: 'Set "target" to "es2022"',
};
const noHelpers: BrokenDecorators = {
  setting: 'noEmitHelpers',
  written: '"noEmitHelpers": true',
  effect: 'omits the functions that compiled decorators call',
  fix: 'Remove it',
};

/** The options that break decorators, as diagnostics at the places where they are set. */
export function decoratorFaults(
  options: ts.CompilerOptions,
  source: ts.SourceFile & { readonly extendedSourceFiles?: string[] },
  paths: ProjectPaths,
): Diagnostic[] {
  return brokenDecorators(options).map(({ setting, written, effect, fix }) => {
    const at = settingIn(source, setting, paths) ?? startOf(paths.shown(source.fileName));
    return diagnosticAt(at, problem('SVC1406', written, effect, fix));
  });
}

/** Other targets compile decorators, and so does `esnext` if class fields or the decorators themselves are not those of the language. */
function leavesDecorators({ target, experimentalDecorators, useDefineForClassFields }: ts.CompilerOptions): boolean {
  return target === ts.ScriptTarget.ESNext && experimentalDecorators !== true && useDefineForClassFields !== false;
}

/** Where a compiler option is set: in the tsconfig, or in one that it extends. */
function settingIn(
  source: ts.SourceFile & { readonly extendedSourceFiles?: string[] },
  setting: string,
  paths: ProjectPaths,
): Location | null {
  const extended = (source.extendedSourceFiles ?? []).map((file) =>
    ts.readJsonConfigFile(file, (path) => ts.sys.readFile(path)),
  );
  for (const file of [source, ...extended]) {
    const root = file.statements[0] as { readonly expression?: ts.Node } | undefined;
    const node = propertyOf(propertyOf(root?.expression, 'compilerOptions'), setting);
    if (node !== undefined) return locationAt(file, node.getStart(file), paths);
  }
  return null;
}

function propertyOf(node: ts.Node | undefined, name: string): ts.Node | undefined {
  if (node === undefined || !ts.isObjectLiteralExpression(node)) return undefined;
  const found = node.properties.find(
    (property) => property.name !== undefined && ts.isStringLiteral(property.name) && property.name.text === name,
  );
  return found !== undefined && ts.isPropertyAssignment(found) ? found.initializer : undefined;
}
