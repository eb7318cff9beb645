import type { DeciderModel, PerspectiveEvent } from '../../model/index.js';
import type { AppliedEventFact, DeciderFact, ModuleFacts } from '../facts.js';
import type { Messages } from './messages.js';
import { byPlace, compareTexts } from './order.js';
import type { Reports } from './reports.js';

/** A decider as a fact and as its model. */
export interface AssembledDecider {
  readonly fact: DeciderFact;
  readonly model: DeciderModel;
}

/** The deciders with generated code, sorted by name. */
export function assembleDeciders(
  modules: readonly ModuleFacts[],
  messages: Messages,
  reports: Reports,
): AssembledDecider[] {
  const byName = new Map<string, DeciderFact>();
  for (const fact of modules.flatMap(({ deciders }) => deciders).toSorted(byPlace)) {
    const other = byName.get(fact.name);
    if (other === undefined) byName.set(fact.name, fact);
    else reports.report(fact.at, 'SVC1805', fact.name, other.at.file);
  }
  return [...byName.values()]
    .filter(({ isUsable }) => isUsable)
    .map((fact) => ({ fact, model: deciderModel(fact, messages, reports) }))
    .toSorted((a, b) => compareTexts(a.model.name, b.model.name));
}

function deciderModel(fact: DeciderFact, messages: Messages, reports: Reports): DeciderModel {
  const events = fact.events
    .flatMap((event) => deciderEvent(fact, event, messages, reports) ?? [])
    .toSorted((a, b) => compareTexts(a.name, b.name));
  return { name: fact.name, module: fact.module, events, state: fact.snapshot?.type ?? null };
}

function deciderEvent(
  { name, at }: DeciderFact,
  event: AppliedEventFact,
  { byId }: Messages,
  reports: Reports,
): PerspectiveEvent | null {
  const message = byId.get(event.id);
  // A class that cannot be a message is already reported. Streams of the application have no events of core.
  if (message?.kind === 'event') return { name: message.name, module: message.module };
  reports.report(at, 'SVC1803', name, event.name);
  return null;
}
