import type { ReactionModel } from '../../model/index.js';
import type { ModuleFacts, ReactionFact } from '../facts.js';
import { processedEvents } from './processed-events.js';
import type { Messages } from './messages.js';
import { byPlace, compareTexts } from './order.js';
import type { Reports } from './reports.js';

/** The reactions and the processes with generated code, each sorted by name. Their names are unique among both. */
export function assembleReactions(
  modules: readonly ModuleFacts[],
  messages: Messages,
  reports: Reports,
): { readonly reactions: readonly ReactionModel[]; readonly processes: readonly ReactionModel[] } {
  const byName = new Map<string, ReactionFact>();
  const withOwnName = (facts: readonly ReactionFact[], code: 'SVC1904' | 'SVC2104'): ReactionFact[] =>
    facts.toSorted(byPlace).filter((fact) => {
      const other = byName.get(fact.storedName);
      if (other === undefined) byName.set(fact.storedName, fact);
      else reports.report(fact.at, code, fact.storedName, other.at.file);
      return other === undefined;
    });
  const modelsOf = (facts: readonly ReactionFact[], code: 'SVC1902' | 'SVC2102'): ReactionModel[] =>
    facts
      .filter(({ isUsable }) => isUsable)
      .map((fact) => {
        const { name, module, parameters } = fact;
        return { name, module, parameters, events: processedEvents(fact, code, messages, reports) };
      })
      .toSorted((a, b) => compareTexts(a.name, b.name) || compareTexts(a.module, b.module));
  const reactions = withOwnName(
    modules.flatMap((module) => module.reactions),
    'SVC1904',
  );
  const processes = withOwnName(
    modules.flatMap((module) => module.processes),
    'SVC2104',
  );
  return { reactions: modelsOf(reactions, 'SVC1902'), processes: modelsOf(processes, 'SVC2102') };
}
