import type { Uuid } from '../json/index.js';
import { tenantOfEvent } from '../messages/index.js';
import type { ReceiveCommand, ReceivedMessage, ReceiveMessages, UnprocessableMessage } from './transport.js';

/**
 * Divides each batch among the databases of a service, by the tenants of its messages. If a database fails, the whole batch is delivered again;
 * the other databases do not process their messages twice.
 */
export function receivingByTenant(receiverOf: (tenant: string) => ReceiveMessages): ReceiveMessages {
  /** The messages that were processed when the same batch was delivered before; null, or what the transport must dead-letter. */
  let processed = new Map<Uuid, UnprocessableMessage | null>();

  async function process(receive: ReceiveMessages, share: readonly ReceivedMessage[]): Promise<void> {
    const unprocessable = await receive(share);
    for (const { id } of share) processed.set(id, null);
    for (const one of unprocessable) processed.set(one.message.id, one);
  }

  return async (batch) => {
    processed = new Map([...processed].filter(([known]) => batch.some(({ id }) => id === known)));
    const shares = new Map<ReceiveMessages, ReceivedMessage[]>();
    for (const message of batch) {
      if (processed.has(message.id)) continue;
      const receive = receiverOf(tenantOfEvent(message));
      const share = shares.get(receive);
      if (share === undefined) shares.set(receive, [message]);
      else share.push(message);
    }
    const results = await Promise.allSettled([...shares].map(([receive, share]) => process(receive, share)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const unprocessable = [...processed.values()].filter((one) => one !== null);
    processed.clear();
    return unprocessable;
  };
}

/** Passes each command to the database of its tenant. */
export function receivingCommandsByTenant(receiverOf: (tenant: string) => ReceiveCommand): ReceiveCommand {
  return (message) => receiverOf(message.scope?.['tenantId'] ?? '')(message);
}
