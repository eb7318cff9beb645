import type { MessageFact, ModuleFacts, ReceptorFact } from '../facts.js';
import type { Messages } from './messages.js';
import { byPlace, compareTexts } from './order.js';
import type { Reports } from './reports.js';

/** A receptor and its command. */
export interface AssembledReceptor {
  readonly command: MessageFact;
  readonly fact: ReceptorFact;
}

/** Sorted by command name. */
export function assembleReceptors(
  modules: readonly ModuleFacts[],
  { byId }: Messages,
  reports: Reports,
): AssembledReceptor[] {
  const found = new Map<MessageFact, ReceptorFact>();
  for (const fact of modules.flatMap(({ receptors }) => receptors).toSorted(byPlace)) {
    const command = byId.get(fact.commandId);
    if (command?.kind !== 'command') {
      reports.report(fact.at, 'SVC1202', fact.name, fact.commandName);
      continue;
    }
    const other = found.get(command);
    if (other === undefined) found.set(command, fact);
    else reports.report(fact.at, 'SVC1201', fact.name, other.name, command.name);
  }
  return [...found]
    .map(([command, fact]) => ({ command, fact }))
    .toSorted((a, b) => compareTexts(a.command.name, b.command.name));
}
