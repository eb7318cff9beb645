import { ts } from '../compiler.js';
import type { Compilation } from '../compilation.js';

/** The module that a name in a type is imported from, if that module cannot be found; null otherwise. Modules of Node are not looked up. */
export function unresolvedModuleIn(node: ts.Node, compilation: Compilation): string | null {
  const { checker } = compilation;
  const specifier = ts.isIdentifier(node) ? importOf(checker.getSymbolAtLocation(node)) : importedBy(node);
  if (specifier !== undefined && isUnresolved(specifier, checker)) return specifier.text;
  return ts.forEachChild(node, (child) => unresolvedModuleIn(child, compilation) ?? undefined) ?? null;
}

function isUnresolved(specifier: ts.StringLiteralLike, checker: ts.TypeChecker): boolean {
  return !specifier.text.startsWith('node:') && checker.getSymbolAtLocation(specifier) === undefined;
}

/** The module of `import('…').Type`. */
function importedBy(node: ts.Node): ts.StringLiteralLike | undefined {
  if (!ts.isImportTypeNode(node) || !ts.isLiteralTypeNode(node.argument)) return undefined;
  const { literal } = node.argument;
  return ts.isStringLiteralLike(literal) ? literal : undefined;
}

/** The module of the import declaration of a name. */
function importOf(symbol: ts.Symbol | undefined): ts.StringLiteralLike | undefined {
  for (let node: ts.Node | undefined = symbol?.declarations?.[0]; node !== undefined; node = node.parent) {
    if (!ts.isImportDeclaration(node)) continue;
    return ts.isStringLiteralLike(node.moduleSpecifier) ? node.moduleSpecifier : undefined;
  }
  return undefined;
}
