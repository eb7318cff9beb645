import type { MessageFact, ModuleFacts } from '../facts.js';
import { byPlace, compareTexts } from './order.js';
import type { Reports } from './reports.js';

export interface Messages {
  /** The messages with generated code, sorted by name; of two with the same name, the first. */
  readonly usable: readonly MessageFact[];
  /** All messages, also those without generated code, by the id of their type. */
  readonly byId: ReadonlyMap<string, MessageFact>;
}

export function assembleMessages(modules: readonly ModuleFacts[], reports: Reports): Messages {
  const all = modules.flatMap(({ messages }) => messages).toSorted(byPlace);
  const byName = new Map<string, MessageFact>();
  for (const message of all) {
    const other = byName.get(message.name);
    if (other === undefined) byName.set(message.name, message);
    else reports.report(message.at, 'SVC1303', message.name, other.at.file);
  }
  return {
    usable: [...byName.values()].filter(({ isUsable }) => isUsable).toSorted((a, b) => compareTexts(a.name, b.name)),
    byId: new Map(all.map((message) => [message.typeId, message])),
  };
}
