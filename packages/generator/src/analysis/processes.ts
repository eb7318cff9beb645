import { appliedEvents } from './applied-events.js';
import { ts } from './compiler.js';
import type { ReactionFact } from './facts.js';
import type { ModuleContext } from './module-context.js';
import { checkPublic, readParameters } from './parameters.js';
import { storedNameOf } from './reactions.js';
import { isAbstract, isOpen, parametersOf } from './types/index.js';

/** A class that implements `Process<…>`; null for any other class. */
export function readProcess(node: ts.ClassLikeDeclaration, context: ModuleContext): ReactionFact | null {
  if (isAbstract(node)) return null;
  const { compilation, checker } = context;
  const found = context.program.heritage.argumentsOf(node, compilation.core.process);
  if (found.length === 0) return null;
  const symbol = compilation.symbolOfClass(node);
  const name = node.name?.text ?? 'This class';
  const place = node.name ?? node;
  const isExported = compilation.exportNameOf(symbol) === name;
  if (!isExported) context.report(place, 'SVC2101', name);
  const [signature] = checker.getSignaturesOfType(checker.getTypeOfSymbol(symbol), ts.SignatureKind.Construct);
  checkPublic(signature?.declaration, name, context);
  const parameters = signature === undefined ? [] : readParameters(parametersOf(signature), name, context);
  const [state, declared] = found[0]!;
  if (found.length > 1 || state === undefined || isOpen(state, checker) || (declared && isOpen(declared, checker))) {
    context.report(place, 'SVC2105', name);
    return null;
  }
  const events = appliedEvents(declared, context).map(({ fact }) => fact);
  if (events.length === 0) context.report(place, 'SVC2103', name);
  return {
    name,
    module: context.module,
    storedName: storedNameOf(symbol, context.program.processCalls, context) ?? name,
    events,
    parameters,
    isUsable: isExported,
    at: compilation.locationOf(place),
  };
}

/** Reports uses of `process` on something else than a process of the module: they would have no effect. */
export function checkProcessCalls(context: ModuleContext): void {
  for (const { call, target, targetName } of context.program.processCalls.in(context.file)) {
    const node = target?.valueDeclaration;
    if (node === undefined || !ts.isClassLike(node)) context.report(call, 'SVC2106', targetName, 'is not a class');
    else if (node.getSourceFile() !== context.file) {
      context.report(call, 'SVC2106', targetName, 'belongs to another module');
    } else if (context.program.heritage.argumentsOf(node, context.compilation.core.process).length === 0) {
      context.report(call, 'SVC2106', targetName, 'does not implement Process');
    } else if (isAbstract(node)) context.report(call, 'SVC2106', targetName, 'is abstract');
  }
}
