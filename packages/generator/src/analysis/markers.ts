import { markers } from './candidates.js';
import type { ts } from './compiler.js';
import { heritageOf, lastName } from './file-scan.js';
import type { ModuleContext } from './module-context.js';

/** Reports a class whose marker interface is not imported. Otherwise the class would be ignored silently. */
export function checkMarkers(node: ts.ClassLikeDeclaration, context: ModuleContext): void {
  for (const { expression } of heritageOf(node)) {
    const name = lastName(expression);
    if (name === null || !markers.includes(name)) continue;
    const symbol = context.compilation.symbolAt(expression);
    if (symbol !== undefined && !context.checker.isUnknownSymbol(symbol)) continue;
    context.report(expression, 'SVC1307', node.name?.text ?? 'This class', name);
  }
}
