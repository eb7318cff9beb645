import { problem, type Diagnostic } from '../diagnostics/index.js';
import { ts } from './compiler.js';
import { diagnosticAt, locationAt, startOf, type Location } from './locations.js';
import type { ProjectPaths } from './project.js';

/** The compiler options with which decorators compile to code that Node cannot run. Nothing, if another tool writes the code. */
export function decoratorFaults(
  options: ts.CompilerOptions,
  source: ts.SourceFile & { readonly extendedSourceFiles?: string[] },
  paths: ProjectPaths,
): Diagnostic[] {
  if (options.noEmit === true || options.emitDeclarationOnly === true) return [];
  const at = (setting: string): Location => settingIn(source, setting, paths) ?? startOf(paths.shown(source.fileName));
  return [
    ...(leavesDecorators(options)
      ? [diagnosticAt(at('target'), problem('SVC1406', '"target": "esnext"', leaves, 'Set "target" to "es2022"'))]
      : []),
    ...(options.noEmitHelpers === true && options.importHelpers !== true
      ? [diagnosticAt(at('noEmitHelpers'), problem('SVC1406', '"noEmitHelpers": true', omits, 'Remove it'))]
      : []),
  ];
}

const leaves = 'leaves decorators in the compiled code, and Node cannot run them';
const omits = 'omits the functions that compiled decorators call';

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
