import { channel } from 'node:diagnostics_channel';
import type { CommitRecord } from '../commit-record.js';

/** Tools subscribe to it by its name, without the service: `svc dev` does. Messages have no bodies. */
const appended = channel('svc.events.appended');

/** Publishes the events of a committed record; without subscribers, it does nothing. */
export function publishAppended({ events }: CommitRecord): void {
  if (!appended.hasSubscribers || events.length === 0) return;
  appended.publish({ events: events.map(({ id, type, streamId }) => ({ id, type, streamId })) });
}
