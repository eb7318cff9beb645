import type { Uuid } from '../json/index.js';
import { tenantOfEvent } from '../messages/index.js';
import { receivedIdOf } from './mapped-id.js';
import type { ReceiveCommand, ReceivedMessage, ReceiveMessages, UnprocessableMessage } from './transport.js';

/** The messages that a database has processed; null, or what the transport must dead-letter. */
type Processed = Map<Uuid, UnprocessableMessage | null>;

/**
 * Divides each batch among the databases of a service, by the tenants of its messages. If a database fails, the whole batch is delivered again;
 * the other databases do not process their messages twice.
 */
export function receivingByTenant(receiverOf: (tenant: string) => ReceiveMessages): ReceiveMessages {
  /** What was processed of the last batch, if it is delivered again. Each database has its own: hosts can send different messages with one id. */
  let last = new Map<ReceiveMessages, Processed>();

  async function process(
    receive: ReceiveMessages,
    share: readonly ReceivedMessage[],
    processed: Processed,
  ): Promise<void> {
    const left = share.filter((message) => !processed.has(receivedIdOf(message)));
    if (left.length === 0) return;
    const unprocessable = await receive(left);
    for (const message of left) processed.set(receivedIdOf(message), null);
    for (const one of unprocessable) processed.set(receivedIdOf(one.message), one);
  }

  return async (batch) => {
    const shares = new Map<ReceiveMessages, ReceivedMessage[]>();
    for (const message of batch) {
      const receive = receiverOf(tenantOfEvent(message));
      const share = shares.get(receive);
      if (share === undefined) shares.set(receive, [message]);
      else share.push(message);
    }
    const before = last;
    last = new Map([...shares].map(([receive, share]) => [receive, ofShare(before.get(receive), share)]));
    const results = await Promise.allSettled(
      [...shares].map(([receive, share]) => process(receive, share, last.get(receive)!)),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const processed = [...last.values()].flatMap((ofDatabase) => Array.from(ofDatabase.values()));
    last = new Map();
    return processed.filter((one) => one !== null);
  };
}

/** Only of the messages that are delivered again, so that it does not grow. */
function ofShare(processed: Processed | undefined, share: readonly ReceivedMessage[]): Processed {
  const ids = new Set(share.map(receivedIdOf));
  return new Map([...(processed ?? [])].filter(([id]) => ids.has(id)));
}

/** Passes each command to the database of its tenant. */
export function receivingCommandsByTenant(receiverOf: (tenant: string) => ReceiveCommand): ReceiveCommand {
  return (message) => receiverOf(message.scope?.['tenantId'] ?? '')(message);
}
