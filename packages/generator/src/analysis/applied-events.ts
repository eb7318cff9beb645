import { ts } from './compiler.js';
import type { AppliedEventFact } from './facts.js';
import type { ModuleContext } from './module-context.js';
import { qualifiedName, typeText } from './types/index.js';

/** An event that a perspective, a decider, a reaction or a process declares. */
export interface AppliedEvent {
  readonly type: ts.Type;
  readonly fact: AppliedEventFact;
}

/** The members of a union of events. The marker interfaces themselves name no event. */
export function appliedEvents(declared: ts.Type | undefined, { compilation, program }: ModuleContext): AppliedEvent[] {
  if (declared === undefined) return [];
  const { event, systemEvent } = compilation.core;
  return (declared.isUnion() ? declared.types : [declared])
    .filter((type) => (type.flags & ts.TypeFlags.Never) === 0 && type.symbol !== event && type.symbol !== systemEvent)
    .map((type) => {
      const name = typeText(type, compilation);
      const { symbol } = type;
      if (symbol === undefined) return { type, fact: { id: name, name, coreName: null } };
      const isEvent = (symbol.flags & ts.SymbolFlags.Class) !== 0 && program.heritage.kindsOf(symbol).has('event');
      const id = qualifiedName(symbol, compilation);
      return { type, fact: { id, name, coreName: isEvent ? compilation.coreNameOf(symbol) : null } };
    });
}
