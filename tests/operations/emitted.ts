import { SystemEventStream } from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { collect } from '@svc/core/testing';

/** The events of one type in the system stream. */
export async function emittedEvents(storage: Storage, type: string): Promise<Record<string, unknown>[]> {
  const events = await collect(storage.readStream(SystemEventStream.streamId));
  return events
    .filter((event) => event.type === `svc.${type}`)
    .map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}
