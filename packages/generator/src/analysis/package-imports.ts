import { ts } from './compiler.js';

/**
 * Whether an import from a package can affect the type of a message: whether it is named outside method bodies, parameters and private
 * members. A receptor's database driver is not, so its declarations, often larger than the whole service, are not read.
 */
export function isImportNeeded(file: ts.SourceFile, specifier: string): boolean {
  let needed = neededImports.get(file);
  if (needed === undefined) {
    needed = findNeeded(file);
    neededImports.set(file, needed);
  }
  return needed.has(specifier);
}

const neededImports = new WeakMap<ts.SourceFile, ReadonlySet<string>>();

function findNeeded(file: ts.SourceFile): ReadonlySet<string> {
  const specifiers = new Map<string, string>();
  const needed = new Set<string>();
  for (const statement of file.statements) {
    if (ts.isExportDeclaration(statement)) addSpecifier(statement.moduleSpecifier, needed);
    else if (ts.isImportDeclaration(statement) && ts.isStringLiteralLike(statement.moduleSpecifier)) {
      for (const name of importedNames(statement)) specifiers.set(name, statement.moduleSpecifier.text);
    } else if (ts.isImportEqualsDeclaration(statement) && ts.isExternalModuleReference(statement.moduleReference)) {
      addSpecifier(statement.moduleReference.expression, needed);
    }
  }
  // The parser does not set parent links; the binder does, but runs later.
  const visit = (node: ts.Node, parent: ts.Node): void => {
    if (ts.isIdentifier(node)) addNamed(specifiers.get(node.text), needed);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      addSpecifier(node.argument.literal, needed);
    }
    if (!isHidden(node, parent)) ts.forEachChild(node, (child) => visit(child, node));
  };
  for (const statement of file.statements) if (!ts.isImportDeclaration(statement)) visit(statement, file);
  return needed;
}

/** Nodes that no type outside can depend on. A function without a declared result type is not one: its body decides it. */
function isHidden(node: ts.Node, parent: ts.Node): boolean {
  if (ts.isParameter(node)) return isPrivate(node) || !ts.isParameterPropertyDeclaration(node, parent);
  if (ts.isPropertyDeclaration(node)) return isPrivate(node) || ts.isPrivateIdentifier(node.name);
  if (!ts.isBlock(node)) return false;
  if (ts.isMethodDeclaration(parent) || ts.isConstructorDeclaration(parent) || ts.isAccessor(parent)) return true;
  return ts.isFunctionLike(parent) && parent.type !== undefined;
}

function isPrivate(node: ts.ParameterDeclaration | ts.PropertyDeclaration): boolean {
  return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0;
}

function importedNames({ importClause }: ts.ImportDeclaration): string[] {
  const bindings = importClause?.namedBindings;
  const named = bindings === undefined ? [] : ts.isNamespaceImport(bindings) ? [bindings] : bindings.elements;
  return [importClause, ...named].map((node) => node?.name?.text).filter((name) => name !== undefined);
}

function addNamed(specifier: string | undefined, to: Set<string>): void {
  if (specifier !== undefined) to.add(specifier);
}

function addSpecifier(node: ts.Node | undefined, to: Set<string>): void {
  if (node !== undefined && ts.isStringLiteralLike(node)) to.add(node.text);
}
