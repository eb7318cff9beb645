/** How the Service Bus writes things into AMQP 1.0, as far as its client reads them. */
import { types } from 'rhea';

/** What a link, a request or a settlement is refused with. */
export interface AmqpError {
  readonly condition: string;
  readonly description: string;
}

export const sessionFilter = 'com.microsoft:session-filter';
export const lockedUntilProperty = 'com.microsoft:locked-until-utc';
export const timeoutProperty = 'com.microsoft:timeout';
/** The format of a transfer whose data sections are messages. */
export const batchFormat = 0x80013700;

export const errors = {
  notFound: (path: string): AmqpError => ({
    condition: 'amqp:not-found',
    description: `The messaging entity '${path}' could not be found.`,
  }),
  unauthorized: { condition: 'amqp:unauthorized-access', description: 'The token is not valid for this entity.' },
  busy: { condition: 'com.microsoft:server-busy', description: 'The request was throttled. Wait and try again.' },
  full: {
    condition: 'amqp:resource-limit-exceeded',
    description: 'The maximum entity size has been reached or exceeded.',
  },
  messageLockLost: {
    condition: 'com.microsoft:message-lock-lost',
    description: 'The lock of the message has expired.',
  },
  sessionLockLost: {
    condition: 'com.microsoft:session-lock-lost',
    description: 'The lock of the session has expired.',
  },
  sessionTaken: { condition: 'com.microsoft:session-cannot-be-locked', description: 'Somebody else has the session.' },
  noSession: { condition: 'com.microsoft:timeout', description: 'No session had messages within the time given.' },
  sessionRequired: {
    condition: 'amqp:not-allowed',
    description: 'It is not possible for an entity that requires sessions to create a non-sessionful message receiver.',
  },
  noSessions: {
    condition: 'amqp:not-allowed',
    description: 'A sessionful message receiver cannot be created on an entity that does not require sessions.',
  },
  sessionIdMissing: { condition: 'amqp:not-allowed', description: 'The entity requires sessions; set the session id.' },
  tooLarge: { condition: 'amqp:link:message-size-exceeded', description: 'The message is larger than 256 KB.' },
  // It does not say what it was.
  propertiesTooLarge: {
    condition: 'amqp:internal-error',
    description: 'The service was unable to process the request; please retry the operation.',
  },
  mixedBatch: {
    condition: 'amqp:not-allowed',
    description: 'All messages of a batch for a partitioned entity have one session id.',
  },
} satisfies Record<string, AmqpError | ((path: string) => AmqpError)>;

const ticksAtEpoch = 621_355_968_000_000_000n;

/** A time as .NET counts it, which is more than a number can hold. */
export function ticks(timeMs: number): unknown {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(Math.round(timeMs)) * 10_000n + ticksAtEpoch);
  return types.wrap_long(bytes);
}

export function long(value: number): unknown {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return types.wrap_long(bytes);
}

/** What the client makes of a lock token: the bytes of a GUID in .NET's order. */
export function reorderGuid(bytes: Buffer): Buffer {
  const order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
  return Buffer.from(order.map((i) => bytes[i]!));
}
