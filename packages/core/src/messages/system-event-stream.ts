import { uuid } from '../json/index.js';

/** The system stream, which contains all system events. Stream names with its prefix are reserved for svc. */
export const SystemEventStream = {
  name: '$svc-system',
  prefix: '$svc-',
  streamId: uuid('00000000-0000-0000-0000-000000000001'),
} as const;
