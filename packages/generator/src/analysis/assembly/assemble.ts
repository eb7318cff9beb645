import { compareDiagnostics, type Diagnostic } from '../../diagnostics/index.js';
import type { MessageModel, ServiceModel } from '../../model/index.js';
import type { MessageFact, ModuleFacts, ResultFact } from '../facts.js';
import type { Registrations } from '../registrations.js';
import { assembleDeciders } from './deciders.js';
import { assembleEndpoints } from './endpoints.js';
import { checkGraphQL } from './graphql.js';
import { assembleMessages, storedTypeOf } from './messages.js';
import { checkReceptors } from './missing-receptors.js';
import { assemblePerspectives } from './perspectives.js';
import { assembleReactions } from './reactions.js';
import { assembleReceptors } from './receptors.js';
import { Reports } from './reports.js';
import { checkSecrets, recordedEvents, recordedResult } from './secrets.js';
import { assembleTypes } from './types.js';

/** Combines the facts of the modules, and checks what only the whole shows: duplicates and missing parts. */
export function assemble(
  namespace: string,
  modules: readonly ModuleFacts[],
  registrations: Registrations,
  others: readonly Diagnostic[],
): { model: ServiceModel; diagnostics: readonly Diagnostic[] } {
  const reports = new Reports([...others, ...modules.flatMap(({ diagnostics }) => diagnostics)]);
  const messages = assembleMessages(namespace, modules, reports);
  const endpoints = assembleEndpoints(modules, messages, reports);
  const receptors = assembleReceptors(modules, messages, reports);
  checkReceptors(modules, messages, receptors, registrations, reports);
  const deciders = assembleDeciders(modules, messages, reports);
  const perspectives = assemblePerspectives(modules, messages, reports);
  const results = new Map<MessageFact, ResultFact>();
  for (const { command, fact } of receptors) results.set(command, fact.result);
  // The result type of an endpoint takes precedence over that of its receptor.
  for (const { command, fact } of endpoints) results.set(command, fact.result);
  const types = assembleTypes(
    modules,
    {
      messages: [...messages.byId.values()],
      requests: endpoints.flatMap(({ fact }) => (fact.request === null ? [] : [fact.request])),
      results: [
        ...results.values(),
        ...deciders.flatMap(({ fact }) => fact.snapshot ?? []),
        ...perspectives.map(({ fact }) => fact.model),
      ],
    },
    reports,
  );
  const drafts = new Map(modules.flatMap((module) => [...module.types]));
  checkSecrets(
    [
      ...recordedEvents(messages.byId.values(), drafts),
      ...[...results].map(([command, result]) =>
        recordedResult(`the result of ${command.name}`, result, command.at, false),
      ),
      ...deciders.flatMap(({ fact: { name, snapshot, at } }) =>
        snapshot === null ? [] : [recordedResult(`the state of ${name}`, snapshot, at, true)],
      ),
      ...perspectives.map(({ fact: { name, model, at } }) => recordedResult(`the model of ${name}`, model, at, true)),
    ],
    drafts,
    reports,
  );
  const usable = new Set(messages.usable);
  const model: ServiceModel = {
    namespace,
    types,
    messages: messages.usable.map((message) => messageModel(namespace, message, results.get(message))),
    endpoints: endpoints.filter(({ command }) => usable.has(command)).map(({ model: endpoint }) => endpoint),
    receptors: receptors
      .filter(({ command }) => usable.has(command))
      .map(({ command, fact: { name, module, parameters } }) => ({ name, module, command: command.name, parameters })),
    deciders: deciders.map(({ model: decider }) => decider),
    perspectives: perspectives.map(({ model: perspective }) => perspective),
    ...assembleReactions(modules, messages, reports),
  };
  checkGraphQL(model, endpoints, perspectives, reports);
  return { model, diagnostics: reports.sorted(compareDiagnostics) };
}

function messageModel(namespace: string, message: MessageFact, result: ResultFact | undefined): MessageModel {
  const { kind, name, module, typeId } = message;
  const type = storedTypeOf(namespace, message);
  return { kind, name, type, module, typeId, ...(result === undefined ? {} : { result: result.type }) };
}
