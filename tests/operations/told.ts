import { SystemEventStream, type Storage } from '@svc/core';
import { collect } from '@svc/core/testing';

/** What the system stream tells of one kind of event. */
export async function told(storage: Storage, type: string): Promise<Record<string, unknown>[]> {
  const events = await collect(storage.readStream(SystemEventStream.streamId));
  return events
    .filter((event) => event.type === `svc.${type}`)
    .map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}
