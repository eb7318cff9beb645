import type { Duplex } from 'node:stream';
import { connect as connectTo, type ChannelModel } from 'amqplib';
import type { Settings } from './options.js';

export type Connection = ChannelModel;

interface Closable {
  close(): Promise<void>;
  once(event: 'close', listener: () => void): unknown;
}

/** Connects once; the broker shows the connection under the name. */
export function connect({ address, tls, connectTimeoutMs, hostName }: Settings, purpose: string): Promise<Connection> {
  return connectTo(
    { ...address },
    {
      ...tls,
      timeout: connectTimeoutMs,
      noDelay: true,
      clientProperties: { connection_name: `svc ${hostName} ${purpose}` },
    },
  );
}

/**
 * Closes a channel or connection. The client never answers when the peer goes away meanwhile; that ends it as well, and is told
 * by an event.
 */
export async function closeGently(open: Closable): Promise<void> {
  const ended = new Promise<void>((resolve) => open.once('close', resolve));
  const answered = open.close().catch(() => {});
  await Promise.race([answered, ended]);
}

/** Whether it comes to its end in time, in whatever way. */
export async function endsWithin(limitMs: number, running: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  const ended = running.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends a connection without asking the broker, which may be gone. */
export function destroy({ connection }: Connection): void {
  // The client only ever half-closes it, and a dead peer never answers that.
  (connection as unknown as { readonly stream: Duplex }).stream.destroy(new Error('The connection was given up.'));
}

/** The largest frame that goes over a connection, as the two sides have agreed. */
export function frameMaxOf({ connection }: Connection): number {
  return (connection as unknown as { readonly frameMax: number }).frameMax;
}
