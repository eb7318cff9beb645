import { grouped } from './history.mjs';

/** Streams, effects, models and reads have data of one tenant: labels start with the tenant of their request. */
export async function tenantViolations({ histories, clients }) {
  const violations = [];
  for (const { name, events, storage } of histories) {
    const byId = new Map(events.map((event) => [event.id, event]));
    for (const { type, id, body, tenant } of events) {
      if (body.label !== undefined && !body.label.startsWith(`${tenant}.`)) {
        violations.push(`${name}, ${type} ${id} of ${body.label}: it belongs to ${tenant || 'no tenant'}`);
      }
      const cause = byId.get(body.eventId);
      if (type.startsWith('bank.') && cause !== undefined && cause.tenant !== tenant) {
        violations.push(
          `${name}, ${type} ${id}: its cause belongs to ${cause.tenant}, and itself to ${tenant || 'no tenant'}`,
        );
      }
    }
    const streams = grouped(
      events.filter(({ type }) => !type.startsWith('svc.')),
      ({ streamId }) => streamId,
    );
    for (const [streamId, stream] of streams) {
      const tenants = new Set(stream.map(({ tenant }) => tenant));
      if (tenants.size > 1) violations.push(`${name}, stream ${streamId}: it has events of ${[...tenants].join(', ')}`);
    }
    for (const perspective of ['Streams', 'Ledgers']) {
      const query = { owner: null, principals: null, where: [], offset: 0, limit: 1_000 };
      for (const { key, body } of await storage.perspectives.listModels(perspective, query)) {
        const tenants = tenantsOf(JSON.parse(body).labels);
        if (tenants.size > 1)
          violations.push(`${name}, ${perspective} ${key}: it has events of ${[...tenants].join(', ')}`);
      }
    }
  }
  for (const { perspective, key, tenant, labels } of clients.reads) {
    const others = [...tenantsOf(labels)].filter((one) => one !== tenant);
    if (others.length > 0) violations.push(`${perspective} ${key}: ${tenant} has read events of ${others.join(', ')}`);
  }
  return violations;
}

function tenantsOf(labels) {
  return new Set(labels.map((label) => label.split('.')[0]));
}
