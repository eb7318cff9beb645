import { uuid } from '../json/index.js';

/** The stream of the service's own events. Streams whose name starts with the prefix belong to the system. */
export const SystemEventStream = {
  name: '$svc-system',
  prefix: '$svc-',
  streamId: uuid('00000000-0000-0000-0000-000000000001'),
} as const;
