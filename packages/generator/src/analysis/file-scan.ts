import { ts } from './compiler.js';

/** What a file's syntax shows: enough to decide, without a type checker, whether it can contain messages, endpoints and so on. */
export interface FileScan {
  readonly declarations: readonly NamedDeclaration[];
  /** `import { Command as Wish }`, `export { Wish as Demand }`: aliases and their original names. */
  readonly renames: readonly Rename[];
  /** Names called on a class, as a decorator or in a statement of the module: `commandEndpoint`, `perspective`, `recurring`. */
  readonly calls: ReadonlySet<string>;
  readonly hasDecorators: boolean;
  /** Whether it imports a generated endpoint, possibly to extend it. */
  readonly importsGeneratedEndpoint: boolean;
  readonly links: readonly ModuleLink[];
  /** Whether it contains only `export … from`, so that its exports are declared elsewhere. */
  readonly onlyHandsOn: boolean;
  /** Whether it adds to the global scope or to another module, so that any other file may depend on it. */
  readonly isAmbient: boolean;
}

export interface NamedDeclaration {
  /** `default` for a class without a name. */
  readonly name: string;
  readonly isClass: boolean;
  /** The unqualified names that it extends, implements or aliases: `Command` for `core.Command`. */
  readonly mentions: readonly string[];
}

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** One import or export declaration that names another module. */
export interface ModuleLink {
  readonly specifier: string;
  /** Names imported from the other module, with their local names; `all` for a namespace or `export *`. */
  readonly names: readonly Rename[] | 'all';
  /** Whether its names are exported again: `named`, or all of them, `star`. */
  readonly exports: 'none' | 'named' | 'star';
}

const scans = new WeakMap<ts.SourceFile, FileScan>();

export function scanOf(file: ts.SourceFile): FileScan {
  let scan = scans.get(file);
  if (scan === undefined) {
    scan = scanStatements(file);
    scans.set(file, scan);
  }
  return scan;
}

/** The class declarations and expressions of a module outside functions: those that may be messages or receptors. */
export function classesOf(statements: readonly ts.Statement[]): ts.ClassLikeDeclaration[] {
  return statements.flatMap((statement) => {
    if (ts.isClassDeclaration(statement)) return [statement];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ initializer }) => classExpressionsIn(initializer));
    }
    if (ts.isExportAssignment(statement)) return classExpressionsIn(statement.expression);
    if (ts.isModuleDeclaration(statement) && statement.body !== undefined && ts.isModuleBlock(statement.body)) {
      return classesOf(statement.body.statements);
    }
    return [];
  });
}

/** Everything a class or interface extends or implements. */
export function heritageOf(node: ts.ClassLikeDeclaration | ts.InterfaceDeclaration): ts.ExpressionWithTypeArguments[] {
  return (node.heritageClauses ?? []).flatMap(({ types }) => types);
}

/** The call of `f` in the statement `f<…>(…)(Class);`. */
export function calledOnClass(statement: ts.Statement): { call: ts.CallExpression; target: ts.Expression } | null {
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return null;
  const { expression: call, arguments: values } = statement.expression;
  const target = values[0];
  return ts.isCallExpression(call) && target !== undefined ? { call, target } : null;
}

/** `Command` of `Command` and of `core.Command`. */
export function lastName(node: ts.Expression | ts.EntityName): string | null {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isQualifiedName(node)) return node.right.text;
  return ts.isPropertyAccessExpression(node) ? node.name.text : null;
}

function classExpressionsIn(node: ts.Expression | undefined): ts.ClassLikeDeclaration[] {
  if (node === undefined) return [];
  if (ts.isClassExpression(node)) return [node];
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
    return classExpressionsIn(node.expression);
  }
  return ts.isCallExpression(node) ? node.arguments.flatMap(classExpressionsIn) : [];
}

function scanStatements(file: ts.SourceFile): FileScan {
  const declarations: NamedDeclaration[] = [];
  const calls = new Set<string>();
  const links: ModuleLink[] = [];
  const renames: Rename[] = [];
  let hasDecorators = false;
  let isAmbient = !ts.isExternalModule(file);
  for (const node of classesOf(file.statements)) {
    const name = node.name?.text ?? 'default';
    declarations.push({ name, isClass: true, mentions: heritageNames(node) });
    if (isDefaultExport(node)) renames.push({ from: name, to: 'default' });
    for (const decorator of ts.getDecorators(node) ?? []) {
      hasDecorators = true;
      if (ts.isCallExpression(decorator.expression)) addName(calls, decorator.expression.expression);
    }
  }
  for (const statement of file.statements) {
    if (ts.isInterfaceDeclaration(statement)) {
      declarations.push({ name: statement.name.text, isClass: false, mentions: heritageNames(statement) });
      if (isDefaultExport(statement)) renames.push({ from: statement.name.text, to: 'default' });
    } else if (ts.isExportAssignment(statement)) {
      const from = lastName(statement.expression);
      if (from !== null) renames.push({ from, to: 'default' });
    } else if (ts.isTypeAliasDeclaration(statement)) {
      declarations.push({ name: statement.name.text, isClass: false, mentions: typeNames(statement.type) });
    } else if (ts.isImportEqualsDeclaration(statement)) {
      scanImportEquals(statement, renames, links);
    } else if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) {
      const link = linkOf(statement);
      if (link !== null) links.push(link);
      renames.push(...specifiersOf(statement).filter(({ from, to }) => from !== to));
    } else if (ts.isModuleDeclaration(statement) && !ts.isIdentifier(statement.name)) {
      isAmbient = true;
    } else if (ts.isModuleDeclaration(statement) && (statement.flags & ts.NodeFlags.GlobalAugmentation) !== 0) {
      isAmbient = true;
    } else {
      const called = calledOnClass(statement);
      if (called !== null) addName(calls, called.call.expression);
      else if (ts.isExpressionStatement(statement) && ts.isCallExpression(statement.expression)) {
        addName(calls, statement.expression.expression);
      }
    }
  }
  const importsGeneratedEndpoint = links.some(({ specifier }) => /\/generated\/[^/]*\.endpoint\b/.test(specifier));
  const onlyHandsOn = file.statements.every(
    (node) => ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined,
  );
  return { declarations, renames, calls, hasDecorators, importsGeneratedEndpoint, links, onlyHandsOn, isAmbient };
}

function heritageNames(node: ts.ClassLikeDeclaration | ts.InterfaceDeclaration): string[] {
  return heritageOf(node)
    .map(({ expression }) => lastName(expression))
    .filter((name) => name !== null);
}

function isDefaultExport(node: ts.Declaration): boolean {
  return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Default) !== 0;
}

function typeNames(node: ts.TypeNode): string[] {
  if (ts.isIntersectionTypeNode(node)) return node.types.flatMap(typeNames);
  if (ts.isParenthesizedTypeNode(node)) return typeNames(node.type);
  const name = ts.isTypeReferenceNode(node) ? lastName(node.typeName) : null;
  return name === null ? [] : [name];
}

function addName(names: Set<string>, node: ts.Expression): void {
  const name = lastName(node);
  if (name !== null) names.add(name);
}

function scanImportEquals(node: ts.ImportEqualsDeclaration, renames: Rename[], links: ModuleLink[]): void {
  const { moduleReference: target, name } = node;
  if (!ts.isExternalModuleReference(target)) {
    const from = lastName(target);
    if (from !== null) renames.push({ from, to: name.text });
  } else if (ts.isStringLiteralLike(target.expression)) {
    links.push({ specifier: target.expression.text, names: 'all', exports: 'none' });
  }
}

function linkOf(node: ts.ImportDeclaration | ts.ExportDeclaration): ModuleLink | null {
  if (node.moduleSpecifier === undefined || !ts.isStringLiteralLike(node.moduleSpecifier)) return null;
  const specifier = node.moduleSpecifier.text;
  if (ts.isExportDeclaration(node)) {
    if (node.exportClause === undefined) return { specifier, names: 'all', exports: 'star' };
    if (ts.isNamespaceExport(node.exportClause)) return { specifier, names: 'all', exports: 'named' };
    return { specifier, names: specifiersOf(node), exports: 'named' };
  }
  const bindings = node.importClause?.namedBindings;
  if (bindings !== undefined && ts.isNamespaceImport(bindings)) return { specifier, names: 'all', exports: 'none' };
  return { specifier, names: specifiersOf(node), exports: 'none' };
}

function specifiersOf(node: ts.ImportDeclaration | ts.ExportDeclaration): Rename[] {
  if (ts.isExportDeclaration(node)) {
    if (node.exportClause === undefined || !ts.isNamedExports(node.exportClause)) return [];
    return node.exportClause.elements.map(({ name, propertyName }) =>
      rename(propertyName?.text ?? name.text, name.text),
    );
  }
  const clause = node.importClause;
  const named = clause?.namedBindings;
  return [
    ...(clause?.name === undefined ? [] : [rename('default', clause.name.text)]),
    ...(named === undefined || !ts.isNamedImports(named)
      ? []
      : named.elements.map(({ name, propertyName }) => rename(propertyName?.text ?? name.text, name.text))),
  ];
}

function rename(from: string, to: string): Rename {
  return { from, to };
}
