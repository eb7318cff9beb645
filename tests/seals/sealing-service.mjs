/** A service that seals its log often, into an anchor file. */
import { readFileSync } from 'node:fs';
import { createService, fileAnchor, newId } from '@svc/core';

class Happened {}

const registry = {
  messages: [
    { type: 'kills.Happened', kind: 'event', class: Happened, read: () => new Happened(), write: () => '{"what":"ü"}' },
  ],
  receptors: [],
  endpoints: [],
  openapi: { paths: {}, components: { schemas: {} } },
};

export const anchorOf = (folder) => fileAnchor(`${folder}/anchor.jsonl`, { entries: true });

export async function startSealingService(storage, folder, anchor = anchorOf(folder), report = () => {}) {
  const keys = [readFileSync(`${folder}/seal.pem`, 'utf8')];
  const service = createService(registry)
    .useStorage(storage)
    .addSystemEvents()
    .addSeals({ keys, anchors: [anchor], everyMs: 10 })
    .reportTo(report);
  service.start();
  await service.ready();
  return service;
}

export async function append(service) {
  const id = newId();
  await service.eventStore.append(id, {
    id,
    type: 'kills.Happened',
    payload: new Happened(),
    streamId: id,
    timestamp: new Date(),
    correlationId: id,
    causationId: null,
    scope: null,
    metadata: {},
  });
}
