import { ts } from '../compiler.js';
import type { Compilation } from '../compilation.js';

/** Whether a class is declared with `@lenient`, or its module calls `lenient(Class)`. */
export function isLenient(symbol: ts.Symbol, compilation: Compilation): boolean {
  const declaration = symbol.valueDeclaration;
  if (declaration === undefined || !ts.isClassLike(declaration)) return false;
  const { lenient } = compilation.core;
  const decorators = ts.getDecorators(declaration) ?? [];
  if (decorators.some(({ expression }) => compilation.symbolAt(expression) === lenient)) return true;
  return lenientCalls(declaration.getSourceFile(), compilation).some(
    ({ target }) => compilation.symbolAt(target) === symbol,
  );
}

/** The statements `lenient(Class);` of a module. */
export function lenientCalls(
  file: ts.SourceFile,
  compilation: Compilation,
): { readonly call: ts.CallExpression; readonly target: ts.Expression }[] {
  return file.statements.flatMap((statement) => {
    if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return [];
    const call = statement.expression;
    const [target] = call.arguments;
    const isUse = target !== undefined && compilation.symbolAt(call.expression) === compilation.core.lenient;
    return isUse ? [{ call, target }] : [];
  });
}
