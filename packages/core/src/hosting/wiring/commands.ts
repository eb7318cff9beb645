import type { AccessControl } from '../../access/index.js';
import { LocalDispatcher, type Dispatcher, type NamedReceptor, type PipelineBehavior } from '../../dispatch/index.js';
import { endpointAccessOf } from '../../endpoints/index.js';
import { secretsIn, withoutLookalikes, withoutMarks, type Writer } from '../../json/index.js';
import { isShared, type GuardedLog } from '../../storage/index.js';
import { FailedCommands, type SystemEventEmitter } from '../../system-events/index.js';
import type { DatabaseRouter } from '../databases/database-router.js';
import { IdempotentRequests } from '../requests/idempotent-requests.js';
import { hidingSecrets } from '../requests/secret-requests.js';
import type { HostParts, ReadyEndpoint, RequestHandler } from '../service-registry.js';
import { after } from './after.js';
import type { Foundation, ServiceFoundation } from './foundation.js';
import { decidersOf } from './deciders.js';
import { addReceptor, requireReceptors } from './receptors.js';

/** Undefined if error events are disabled. */
export function failedCommandsOf(
  { options, reportOf }: ServiceFoundation,
  emitter: SystemEventEmitter,
): FailedCommands | undefined {
  if (!options.errorEventsEnabled) return undefined;
  return new FailedCommands(emitter, {
    recordsRejections: options.rejectionEventsEnabled,
    report: reportOf('failure-record'),
  });
}

export interface DispatcherSurroundings {
  readonly log: GuardedLog;
  readonly access: AccessControl;
  readonly failedCommands: FailedCommands | undefined;
  readonly behaviors: readonly PipelineBehavior[];
}

export function behaviorsOf(
  { registrations }: ServiceFoundation,
  emitter: SystemEventEmitter,
): readonly PipelineBehavior[] {
  return registrations.behaviors.map((known) => (typeof known === 'function' ? known(emitter) : known));
}

export function dispatcherOf(
  foundation: Foundation,
  receptors: ReadonlyMap<unknown, NamedReceptor>,
  { log, access, failedCommands, behaviors }: DispatcherSurroundings,
): LocalDispatcher {
  const { registrations, messages, storage, decorate, transport, transportFilter, snapshots } = foundation;
  return new LocalDispatcher({
    messages,
    log,
    guard: access,
    receptors,
    deciders: decidersOf(foundation),
    snapshots,
    isShared: isShared(storage),
    observeWaits: registrations.telemetry?.waiting?.bind(registrations.telemetry) ?? null,
    behaviors,
    decorate,
    onFailure: failedCommands?.observe ?? null,
    conflictRetries: registrations.conflictRetries,
    sendsCommands: transport?.openInbox !== undefined,
    schedulesCommands: storage.schedule !== undefined,
    publishFilter: transportFilter,
  });
}

/** The dispatcher of each database with its telemetry. */
export function watchedDispatchers(
  dispatchers: ReadonlyMap<Foundation, Dispatcher>,
): ReadonlyMap<Foundation, Dispatcher> {
  const watched = ({ registrations, messages }: Foundation, dispatcher: Dispatcher): Dispatcher => {
    const { telemetry } = registrations;
    return telemetry?.dispatcher?.(dispatcher, (command) => messages.of(command).type) ?? dispatcher;
  };
  return new Map([...dispatchers].map(([database, dispatcher]) => [database, watched(database, dispatcher)]));
}

/** Adds the generated and the registered receptors; throws for a command without one. */
export function addReceptors(
  { registry, services, registrations, messages }: ServiceFoundation,
  host: HostParts,
  receptors: Map<unknown, NamedReceptor>,
): void {
  const found = registry.receptors.map(({ name, command, resultType = null, create }) => ({
    name,
    command,
    resultType,
    receptor: create(host, services as never),
  }));
  for (const { command, ...receptor } of [...found, ...registrations.receptors]) {
    const { type: commandType } = messages.ofClass(command);
    addReceptor(receptors, command, { ...receptor, commandType });
  }
  requireReceptors(registry.messages, receptors);
}

/** Requests with an idempotency key, in the database of their caller. */
export function idempotentRequestsOf(
  { reportOf }: ServiceFoundation,
  router: DatabaseRouter<Foundation>,
  access: AccessControl,
): IdempotentRequests {
  return new IdempotentRequests(
    (caller) => after(router.of(caller), ({ storage }) => storage),
    () => access.actor,
    reportOf('idempotency'),
  );
}

export function endpointsOf(
  { registry, services, registrations, messages }: ServiceFoundation,
  host: HostParts,
): readonly ReadyEndpoint[] {
  return registry.endpoints.map(({ create, hooks = {}, writeRequest, ...rest }) => {
    const { type: commandType } = messages.ofClass(rest.command);
    const access = endpointAccessOf(rest.command);
    const endpoint = create(host, services as never);
    endpoint.declareHooks(hooks);
    const writeResult: Writer<unknown> = (result) => withoutMarks(rest.writeResult(result));
    // A result may repeat a text of the caller.
    const storeResult: Writer<unknown> = (result) => withoutLookalikes(rest.writeResult(result));
    const writers = messages.hasPersonal ? { writeResult, storeResult } : {};
    const ready: ReadyEndpoint = { ...rest, ...writers, commandType, ...access, ...handlerOf(endpoint, writeRequest) };
    return registrations.telemetry?.endpoint?.(ready) ?? ready;
  });
}

function handlerOf(
  endpoint: RequestHandler,
  writeRequest: Writer<object> | undefined,
): Pick<ReadyEndpoint, 'endpoint' | 'secretsOf'> {
  if (writeRequest === undefined) return { endpoint };
  const secretsOf = (request: object): readonly string[] => secretsIn(request, writeRequest);
  return { endpoint: hidingSecrets(endpoint, secretsOf), secretsOf };
}
