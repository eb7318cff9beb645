import { ts } from './compiler.js';

/** A call of the generated function `graphql` in a source of a caller. */
export interface GraphQLCall {
  /** Its text; null if it is not a literal. */
  readonly text: string | null;
  /** Where the text begins, or the call if there is none. Both count from 1. */
  readonly line: number;
  readonly column: number;
}

/**
 * Finds the calls of `graphql` in a TypeScript or JavaScript file that imports it from a module with this name, under any path:
 * `import { graphql } from '@/api/orders-documents'`.
 */
export function graphQLCalls(fileName: string, text: string, module: string): GraphQLCall[] {
  // Most files have none, and parsing is what takes time.
  if (!text.includes(module)) return [];
  const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest);
  const names = new Set(file.statements.flatMap((statement) => importedNames(statement, module)));
  const calls: GraphQLCall[] = [];
  if (names.size > 0) visit(file);
  return calls;

  function visit(node: ts.Node): void {
    const callee = ts.isCallExpression(node) ? node.expression : ts.isTaggedTemplateExpression(node) ? node.tag : null;
    if (callee !== null && ts.isIdentifier(callee) && names.has(callee.text)) {
      const given = ts.isCallExpression(node) ? node.arguments[0] : undefined;
      calls.push(
        given !== undefined && ts.isStringLiteralLike(given)
          ? { text: given.text, ...place(given.getStart(file) + 1) }
          : { text: null, ...place(node.getStart(file)) },
      );
    }
    ts.forEachChild(node, visit);
  }

  function place(position: number): { line: number; column: number } {
    const { line, character } = ts.getLineAndCharacterOfPosition(file, position);
    return { line: line + 1, column: character + 1 };
  }
}

/** The local names of `graphql` that a statement imports from the module. */
function importedNames(statement: ts.Statement, module: string): string[] {
  if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
  const [name = ''] = statement.moduleSpecifier.text.split('/').slice(-1);
  const bindings = statement.importClause?.namedBindings;
  if (name.replace(/\.[cm]?[jt]sx?$/, '') !== module || bindings === undefined || !ts.isNamedImports(bindings))
    return [];
  return bindings.elements
    .filter((element) => (element.propertyName ?? element.name).text === 'graphql')
    .map((element) => element.name.text);
}
