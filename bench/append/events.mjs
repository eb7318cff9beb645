/** The events that every subject appends: one order per stream. */
import { generateKeyPairSync } from 'node:crypto';
import { anonymous, createService, localKeyVault, newId } from '@svc/core';
import { runAs } from '@svc/core/hosting';
import { personalText } from '@svc/core/json';
import { pendingRecord, wrap } from '@svc/core/testing';
import { makeOrders } from '../lib/orders.mjs';

const orders = makeOrders(64);
const bodies = orders.map((order) => JSON.stringify(order));
let made = 0;

/** The rows to count, as a SQL condition: a service also records that it created its tables. */
export const isMeasured = `type IN ('orders.OrderPlaced', 'svc.EventAudited')`;

export function nextEvent() {
  const body = bodies[made++ % bodies.length] ?? '{}';
  return pendingRecord(newId(), { type: 'orders.OrderPlaced', body, scope: { tenantId: 'bench', userId: 'u-1' } });
}

/** An event as a row of `jsonb_to_recordset`. @param {ReturnType<typeof nextEvent>} event */
export function rowOf({ id, streamId, type, body, timestamp, correlationId, causationId, scope, metadata }) {
  return {
    id,
    stream_id: streamId,
    expected: -1,
    type,
    body,
    timestamp,
    correlation_id: correlationId,
    causation_id: causationId,
    scope: JSON.stringify(scope),
    metadata: JSON.stringify(metadata),
  };
}

/**
 * A service that appends the same events. A subject named `audit` audits each; for `tenants`, callers of 100 tenants append them, and the
 * storage checks the owner of each stream. A subject named `seal` seals the log. For `personal`, the address is personal data of one of 64 customers;
 * for `newcomers`, of a new one each time.
 *
 * @param {import('@svc/core/storage').Storage} storage
 * @param {string} name
 * @param {import('@svc/core/hosting').Telemetry} [telemetry]
 */
export async function appendingService(storage, name, telemetry) {
  class OrderPlaced {}
  const service = createService({
    messages: [
      {
        type: 'orders.OrderPlaced',
        kind: 'event',
        class: OrderPlaced,
        read: (value) => Object.assign(new OrderPlaced(), value),
        write: writerOf(name),
        ...(name.includes('personal') && { hasPersonal: true }),
      },
    ],
    receptors: [],
    endpoints: [],
    openapi: { paths: {}, components: { schemas: {} } },
  })
    .useStorage(storage)
    .addSystemEvents((options) => name.includes('audit') && options.enableEventAudit());
  if (name.includes('personal')) service.useKeyVault(localKeyVault(`k1:${Buffer.alloc(32, 7).toString('base64')}`));
  if (name.includes('tenants')) service.addAuthentication(noCredential);
  if (name.includes('seal')) service.addSeals({ keys: [generateKeyPairSync('ed25519').privateKey] });
  if (telemetry !== undefined) service.useTelemetry(telemetry);
  service.start();
  await service.ready();
  const append = async (/** @type {import('@svc/core').EnvelopeScope | null} */ scope) => {
    const streamId = newId();
    await service.eventStore.append(streamId, wrap('orders.OrderPlaced', new OrderPlaced(), { streamId, scope }));
  };
  const appendAsCaller = () => {
    const scope = scopes[made % scopes.length] ?? null;
    const caller = (scope && callers.get(scope)) ?? anonymous;
    return runAs(caller, () => append(scope));
  };
  return { append: name.includes('tenants') ? appendAsCaller : () => append(null), finish: () => service.idle() };
}

/** Writes the next body as a generated writer would. @param {string} name @returns {() => string} */
function writerOf(name) {
  if (!name.includes('personal')) return () => bodies[made++ % bodies.length] ?? '{}';
  const parts = orders.map(({ customerId, lineItems, shippingAddress }) => ({
    customerId,
    items: JSON.stringify(lineItems),
    address: JSON.stringify(shippingAddress),
  }));
  return () => {
    const { customerId: known = '', items, address = '' } = parts[made++ % parts.length] ?? {};
    const customerId = name.includes('newcomers') ? newId() : known;
    return `{"customerId":"${customerId}","lineItems":${items},"shippingAddress":${personalText(customerId, address)}}`;
  };
}

/** @type {import('@svc/core').Authenticator} */
const noCredential = {
  scheme: 'bench',
  credentialIn: () => null,
  authenticate: () => Promise.reject(new Error('No caller has a credential.')),
};

const scopes = Array.from({ length: 100 }, (_, i) => ({ tenantId: `tenant-${i}`, userId: 'u-1' }));
const callers = new Map(scopes.map((scope) => [scope, { ...anonymous, scope, source: 'bench' }]));
