/** Everything that a shop has stored, and what its callers know. */
import { createPublicKey } from 'node:crypto';
import { publicSealKey, sealedLogOf, verifySeals } from '@svc/core/hosting';

const pageSize = 1_000;

/** `requests` are those of its callers, and `sealKey` the private key that signs its seals. */
export async function readHistory(shop, storage, requests, sealKey) {
  // First: what is stored later may be sealed later.
  const seals = await sealsOf(storage, sealKey);
  const events = [];
  for await (const { id, type, body, streamId, position, correlationId, causationId, metadata } of storage.readAll()) {
    const origin = metadata.origin ?? null;
    events.push({ id, type, body: JSON.parse(body), streamId, position, correlationId, causationId, origin });
  }
  return {
    shop,
    requests,
    events,
    models: await modelsIn(storage),
    instances: await instancesIn(storage),
    failedStreams: await failedStreamsIn(storage),
    deadLetters: (await storage.readDeadLetters(null, pageSize)).map(
      ({ direction, cause, message }) => `${direction} ${message.type}: ${cause}`,
    ),
    scheduled: (await storage.schedule.read(pageSize)).map(({ key }) => key ?? ''),
    seals,
  };
}

/** How many events the seals cover, and the first difference between them and the log. */
async function sealsOf(storage, sealKey) {
  const keys = [publicSealKey(createPublicKey(sealKey))];
  const { checkpoints, events, finding } = await verifySeals(sealedLogOf(storage), { keys });
  return { checkpoints, events, finding: finding === null ? null : JSON.stringify(finding) };
}

async function modelsIn(storage) {
  const models = [];
  for (;;) {
    const query = { owner: null, principals: null, offset: models.length, limit: pageSize };
    const page = await storage.perspectives.listModels('OrderTrace', query);
    models.push(...page.map(({ key, body }) => ({ key, ids: JSON.parse(body).ids })));
    if (page.length < pageSize) return models;
  }
}

async function instancesIn(storage) {
  const instances = [];
  for (let after = null; ;) {
    const page = await storage.processes.readInstances({ isOpen: false, after }, pageSize);
    instances.push(...page);
    if (page.length < pageSize) return instances;
    after = page.at(-1).streamId;
  }
}

async function failedStreamsIn(storage) {
  const found = [];
  for (const { name } of await storage.reactions.readStandings(1)) {
    const streams = await storage.reactions.readFailed(name, null, pageSize);
    for (const { streamId, eventId, attempts, errorMessage } of streams) {
      found.push(`${name} failed at ${eventId} of ${streamId} ${attempts} times: ${errorMessage}`);
    }
  }
  return found;
}
