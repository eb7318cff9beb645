import { appliedEvents } from './applied-events.js';
import { ts } from './compiler.js';
import type { DecoratorCalls } from './decorator-calls.js';
import { readOptions, readText } from './decorator-options.js';
import type { ReactionFact } from './facts.js';
import type { ModuleContext } from './module-context.js';
import { checkPublic, readParameters } from './parameters.js';
import { isAbstract, isOpen, parametersOf } from './types/index.js';

/** A class that implements `Reaction<…>`; null for any other class. */
export function readReaction(node: ts.ClassLikeDeclaration, context: ModuleContext): ReactionFact | null {
  if (isAbstract(node)) return null;
  const { compilation, checker } = context;
  const found = context.program.heritage.argumentsOf(node, compilation.core.reaction);
  if (found.length === 0) return null;
  const symbol = compilation.symbolOfClass(node);
  const name = node.name?.text ?? 'This class';
  const place = node.name ?? node;
  const isExported = compilation.exportNameOf(symbol) === name;
  if (!isExported) context.report(place, 'SVC1901', name);
  const [signature] = checker.getSignaturesOfType(checker.getTypeOfSymbol(symbol), ts.SignatureKind.Construct);
  checkPublic(signature?.declaration, name, context);
  const parameters = signature === undefined ? [] : readParameters(parametersOf(signature), name, context);
  const [processed] = found[0]!;
  if (processed === undefined || isOpen(processed, checker) || found.length > 1) {
    context.report(place, 'SVC1905', name);
    return null;
  }
  const events = appliedEvents(processed, context).map(({ fact }) => fact);
  if (events.length === 0) context.report(place, 'SVC1903', name);
  return {
    name,
    module: context.module,
    storedName: storedNameOf(symbol, context.program.reactionCalls, context) ?? name,
    events,
    parameters,
    isUsable: isExported,
    at: compilation.locationOf(place),
  };
}

/** The name that a use of `reaction` or `process` declares, if the generator can read it. */
export function storedNameOf(
  reaction: ts.Symbol,
  calls: DecoratorCalls,
  { checker }: ModuleContext,
): string | undefined {
  const use = calls.of(reaction);
  if (use === undefined) return undefined;
  return readText(readOptions(use.call, checker).get('name'), () => {})?.value;
}

/** Reports uses of `reaction` on something else than a reaction of the module: they would have no effect. */
export function checkReactionCalls(context: ModuleContext): void {
  for (const { call, target, targetName } of context.program.reactionCalls.in(context.file)) {
    const node = target?.valueDeclaration;
    if (node === undefined || !ts.isClassLike(node)) context.report(call, 'SVC1906', targetName, 'is not a class');
    else if (node.getSourceFile() !== context.file) {
      context.report(call, 'SVC1906', targetName, 'belongs to another module');
    } else if (context.program.heritage.argumentsOf(node, context.compilation.core.reaction).length === 0) {
      context.report(call, 'SVC1906', targetName, 'does not implement Reaction');
    } else if (isAbstract(node)) context.report(call, 'SVC1906', targetName, 'is abstract');
  }
}
