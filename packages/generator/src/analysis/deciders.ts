import { appliedEvents } from './applied-events.js';
import { ts } from './compiler.js';
import type { DeciderFact, ResultFact } from './facts.js';
import type { ModuleContext } from './module-context.js';
import { isObject } from './object-results.js';
import { checkPublic } from './parameters.js';
import { isAbstract, isOpen, parametersOf, typeText } from './types/index.js';
import { evolveOf, unhandledEvents } from './unhandled-events.js';

/** A class that implements `Decider<…>`; null for any other class. */
export function readDecider(node: ts.ClassLikeDeclaration, context: ModuleContext): DeciderFact | null {
  if (isAbstract(node)) return null;
  const { compilation, checker } = context;
  const found = context.program.heritage.argumentsOf(node, compilation.core.decider);
  if (found.length === 0) return null;
  const symbol = compilation.symbolOfClass(node);
  const name = node.name?.text ?? 'This class';
  const place = node.name ?? node;
  const isExported = compilation.exportNameOf(symbol) === name;
  if (!isExported) context.report(place, 'SVC1801', name);
  const [signature] = checker.getSignaturesOfType(checker.getTypeOfSymbol(symbol), ts.SignatureKind.Construct);
  checkPublic(signature?.declaration, name, context);
  const [parameter] = signature === undefined ? [] : parametersOf(signature);
  if (parameter !== undefined) context.report(parameter, 'SVC1807', name);
  const [state, declared] = found[0]!;
  if (found.length > 1 || state === undefined || isOpen(state, checker) || (declared && isOpen(declared, checker))) {
    context.report(place, 'SVC1802', name);
    return null;
  }
  const events = appliedEvents(declared, context);
  if (events.length === 0) context.report(place, 'SVC1804', name);
  const evolve = evolveOf(symbol, context);
  const unhandled = evolve === null ? [] : unhandledEvents(evolve, events, context);
  if (unhandled.length > 0) context.report(evolve!.name, 'SVC1806', name, unhandled.join(', '));
  return {
    name,
    module: context.module,
    events: events.map(({ fact }) => fact),
    snapshot: readSnapshot(symbol, name, state, place, context),
    isUsable: isExported,
    at: compilation.locationOf(place),
  };
}

/** The state of a decider with snapshots, which is stored as JSON; null without them. */
function readSnapshot(
  decider: ts.Symbol,
  name: string,
  state: ts.Type,
  place: ts.Node,
  context: ModuleContext,
): ResultFact | null {
  if (context.program.snapshotCalls.of(decider) === undefined) return null;
  const fact = context.readResult(state, `The state of ${name}`, place);
  if (!isObject(fact, context)) context.report(place, 'SVC1808', name, typeText(state, context.compilation));
  return fact;
}

/** Reports uses of `snapshot` on something else than a decider of the module: they would have no effect. */
export function checkSnapshotCalls(context: ModuleContext): void {
  for (const { call, target, targetName } of context.program.snapshotCalls.in(context.file)) {
    const node = target?.valueDeclaration;
    if (node === undefined || !ts.isClassLike(node)) context.report(call, 'SVC1809', targetName, 'is not a class');
    else if (node.getSourceFile() !== context.file) {
      context.report(call, 'SVC1809', targetName, 'is declared in another module');
    } else if (context.program.heritage.argumentsOf(node, context.compilation.core.decider).length === 0) {
      context.report(call, 'SVC1809', targetName, 'does not implement Decider');
    } else if (isAbstract(node)) context.report(call, 'SVC1809', targetName, 'is abstract');
  }
}
