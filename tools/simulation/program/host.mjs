/** What a simulated process runs: a host of the service. */
import { newId, runAsHost } from '@svc/core';
import { CommandRequest, runAs } from '@svc/core/hosting';
import { Ledgers, bankService, Streams } from './service.mjs';
import { simulatedStorage } from './storage.mjs';
import { simulatedTransport } from './transport.mjs';

export { tenantOfEvent } from '@svc/core/storage';
export { hostOfInbox } from '@svc/core/transport';
export { SimulatedDatabase } from './database.mjs';

const perspectives = { Streams, Ledgers };

/** Starts a host. `report` receives the errors of background work. */
export function startHost({ name, other, database, broker, times, hasTicks, report }) {
  const storage = simulatedStorage(database, times);
  const transport = simulatedTransport(broker, name);
  const service = bankService({ other, storage, transport, hasTicks, report }).start();
  const labelsOf = async (perspective, key) => (await service.lens(perspectives[perspective]).find(key))?.labels ?? [];
  return {
    ready: () => service.ready(),
    stop: () => service.stop(),
    newId: () => newId(),
    /** Runs a request of a tenant, and resolves with what the command returned. */
    handle: ({ tenant, ...request }) => runAs(callerOf(tenant), () => handle(service, labelsOf, request)),
    /** The labels in a model, as a caller of a tenant sees it. */
    read: (tenant, perspective, key) => runAs(callerOf(tenant), () => labelsOf(perspective, key)),
    rebuild: (perspective, options) => runAsHost(() => service.rebuildPerspective(perspectives[perspective], options)),
  };
}

async function handle(service, labelsOf, { command, key, model, properties }) {
  const endpoint = service.endpoints.find(({ restRoute }) => restRoute === `/${command}`);
  const seen = model === null ? [] : await labelsOf(model.perspective, model.key);
  const sent = command === 'Record' ? { ...properties, seen } : properties;
  const message = endpoint.readRequest(sent);
  if (key === null) return await service.dispatcher.invoke(message);
  const { text } = await service.idempotentRequests.handle(
    endpoint,
    { key, message, sent: properties },
    new CommandRequest(),
  );
  return JSON.parse(text);
}

function callerOf(tenantId) {
  return { scope: { tenantId, userId: 'ann' }, roles: new Set(), permissions: new Set(), source: 'simulation' };
}
