import type { MessageFact, ModuleFacts } from '../facts.js';
import { byPlace, compareTexts } from './order.js';
import type { Reports } from './reports.js';

export interface Messages {
  /** The messages with generated code, sorted by name; of two with the same name, the first. */
  readonly usable: readonly MessageFact[];
  /** All messages, including those without generated code, by the id of their type. */
  readonly byId: ReadonlyMap<string, MessageFact>;
}

/** The type under which a message is stored and sent. */
export function storedTypeOf(namespace: string, { name, storedAs }: MessageFact): string {
  return storedAs?.value ?? `${namespace}.${name}`;
}

export function assembleMessages(namespace: string, modules: readonly ModuleFacts[], reports: Reports): Messages {
  const all = modules.flatMap(({ messages }) => messages).toSorted(byPlace);
  const byName = new Map<string, MessageFact>();
  for (const message of all) {
    const other = byName.get(message.name);
    if (other === undefined) byName.set(message.name, message);
    else reports.report(message.at, 'SVC1303', message.name, other.at.file);
  }
  checkTypes(namespace, [...byName.values()], reports);
  return {
    usable: [...byName.values()].filter(({ isUsable }) => isUsable).toSorted((a, b) => compareTexts(a.name, b.name)),
    byId: new Map(all.map((message) => [message.typeId, message])),
  };
}

/** Names are unique, so that one of two equal types is set by `storedAs`. */
function checkTypes(namespace: string, messages: readonly MessageFact[], reports: Reports): void {
  const byType = new Map<string, MessageFact>();
  for (const message of messages) {
    const type = storedTypeOf(namespace, message);
    const other = byType.get(type);
    if (other === undefined) byType.set(type, message);
    else reports.report(message.storedAs?.at ?? message.at, 'SVC1311', message.name, other.name, type);
  }
}
