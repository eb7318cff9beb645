import type { ReactionModel } from '../../model/index.js';
import type { ModuleFacts, ReactionFact } from '../facts.js';
import { processedEvents } from './processed-events.js';
import type { Messages } from './messages.js';
import { byPlace, compareTexts } from './order.js';
import type { Reports } from './reports.js';

/** The reactions with generated code, sorted by name. */
export function assembleReactions(
  modules: readonly ModuleFacts[],
  messages: Messages,
  reports: Reports,
): readonly ReactionModel[] {
  const all = modules.flatMap(({ reactions }) => reactions).toSorted(byPlace);
  const byName = new Map<string, ReactionFact>();
  for (const fact of all) {
    const other = byName.get(fact.storedName);
    if (other === undefined) byName.set(fact.storedName, fact);
    else reports.report(fact.at, 'SVC1904', fact.storedName, other.at.file);
  }
  return [...byName.values()]
    .filter(({ isUsable }) => isUsable)
    .map((fact) => {
      const { name, module, parameters } = fact;
      return { name, module, parameters, events: processedEvents(fact, 'SVC1902', messages, reports) };
    })
    .toSorted((a, b) => compareTexts(a.name, b.name) || compareTexts(a.module, b.module));
}
