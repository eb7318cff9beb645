import { endpointModule } from '../../emit/index.js';
import type { CustomClass, EndpointModel, PathParameter } from '../../model/index.js';
import type { CustomEndpointFact, EndpointFact, Located, MessageFact, ModuleFacts } from '../facts.js';
import type { Messages } from './messages.js';
import { byPlace, compareTexts } from './order.js';
import { checkShapes, pathParametersOf } from './path-parameters.js';
import type { Reports } from './reports.js';

/** An endpoint with its command, as a fact and as its model. */
export interface AssembledEndpoint {
  readonly command: MessageFact;
  readonly fact: EndpointFact;
  readonly model: EndpointModel;
}

/** Sorted by command name. */
export function assembleEndpoints(
  modules: readonly ModuleFacts[],
  { byId }: Messages,
  reports: Reports,
): AssembledEndpoint[] {
  const found = modules
    .flatMap(({ endpoints }) => endpoints)
    .map((fact) => ({ fact, command: byId.get(fact.commandId), at: (fact.restRoute ?? fact.graphQLMutation)!.at }))
    .filter((entry): entry is Entry => entry.command !== undefined)
    .toSorted(byPlace);
  checkUnique(found, ({ fact }) => fact.restRoute, 'SVC1107', reports);
  checkShapes(found, reports);
  checkUnique(found, ({ fact }) => fact.graphQLMutation, 'SVC1108', reports);
  const files = checkFiles(found, reports);
  const customs = assignCustoms(modules, files, reports);
  for (const { fact, command } of found) checkMapping(fact, command, customs.get(command), reports);
  const drafts = new Map(modules.flatMap(({ types }) => [...types]));
  return found
    .map(({ fact, command }) => {
      const parameters = pathParametersOf(fact, drafts, reports);
      return { command, fact, model: endpointModel(fact, command, parameters, customs.get(command)) };
    })
    .toSorted((a, b) => compareTexts(a.command.name, b.command.name));
}

interface Entry {
  readonly fact: EndpointFact;
  readonly command: MessageFact;
  readonly at: MessageFact['at'];
}

function endpointModel(
  fact: EndpointFact,
  command: MessageFact,
  pathParameters: readonly PathParameter[],
  custom: CustomEndpointFact | undefined,
): EndpointModel {
  return {
    name: `${command.name}Endpoint`,
    command: command.name,
    restRoute: fact.restRoute?.value ?? null,
    pathParameters,
    graphQLMutation: fact.graphQLMutation?.value ?? null,
    requestTypeId: fact.request?.value.typeId ?? null,
    result: fact.result.type,
    description: fact.description,
    custom: custom === undefined ? null : customClass(custom),
  };
}

function customClass({ name, module, parameters, hooks }: CustomEndpointFact): CustomClass {
  return { name, module, parameters, hooks };
}

function checkUnique(
  entries: readonly Entry[],
  pick: (entry: Entry) => Located<string> | null,
  code: 'SVC1107' | 'SVC1108',
  reports: Reports,
): void {
  const owners = new Map<string, MessageFact>();
  for (const entry of entries) {
    const text = pick(entry);
    if (text === null) continue;
    const other = owners.get(text.value);
    if (other === undefined) owners.set(text.value, entry.command);
    else reports.report(text.at, code, text.value, entry.command.name, other.name);
  }
}

/** The command of each generated endpoint file. */
function checkFiles(entries: readonly Entry[], reports: Reports): Map<string, MessageFact> {
  const owners = new Map<string, MessageFact>();
  for (const { command } of entries) {
    const file = endpointModule(command.module, command.name);
    const other = owners.get(file);
    if (other === undefined) owners.set(file, command);
    // Duplicate names are already reported.
    else if (other.name !== command.name) {
      reports.report(command.at, 'SVC1305', command.name, other.name, `${file}.ts`);
    }
  }
  return owners;
}

/** For each command, the class that is served instead of the generated one. */
function assignCustoms(
  modules: readonly ModuleFacts[],
  files: ReadonlyMap<string, MessageFact>,
  reports: Reports,
): Map<MessageFact, CustomEndpointFact> {
  const found = new Map<MessageFact, CustomEndpointFact>();
  for (const custom of modules.flatMap(({ customEndpoints }) => customEndpoints).toSorted(byPlace)) {
    const command = files.get(custom.baseModule);
    if (command === undefined || `${command.name}Endpoint` !== custom.baseName) {
      reports.report(custom.at, 'SVC1112', custom.name, custom.baseName, `${custom.baseModule}.ts`);
      continue;
    }
    const other = found.get(command);
    if (other === undefined) found.set(command, custom);
    else reports.report(custom.at, 'SVC1111', custom.name, other.name, custom.baseName);
  }
  return found;
}

function checkMapping(
  { request }: EndpointFact,
  command: MessageFact,
  custom: CustomEndpointFact | undefined,
  reports: Reports,
): void {
  if (request === null || custom?.mapsRequest === true) return;
  reports.report(request.at, 'SVC1110', request.value.name, command.name);
}
