import { ts } from './compiler.js';
import type { AppliedEventFact } from './facts.js';
import type { ModuleContext } from './module-context.js';
import { qualifiedName, typeText } from './types/index.js';

/** The members of a union of events. The marker interfaces themselves name no event. */
export function readEvents(appliedEvents: ts.Type, { compilation, program }: ModuleContext): AppliedEventFact[] {
  const { event, systemEvent } = compilation.core;
  return (appliedEvents.isUnion() ? appliedEvents.types : [appliedEvents])
    .filter((type) => (type.flags & ts.TypeFlags.Never) === 0 && type.symbol !== event && type.symbol !== systemEvent)
    .map((type) => {
      const name = typeText(type, compilation);
      const { symbol } = type;
      if (symbol === undefined) return { id: name, name, coreName: null };
      const isEvent = (symbol.flags & ts.SymbolFlags.Class) !== 0 && program.heritage.kindsOf(symbol).has('event');
      return {
        id: qualifiedName(symbol, compilation),
        name,
        coreName: isEvent ? compilation.coreNameOf(symbol) : null,
      };
    });
}
