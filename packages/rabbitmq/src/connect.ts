import type { Duplex } from 'node:stream';
import { connect as connectTo, type ChannelModel } from 'amqplib';
import type { Settings } from './options.js';

export type Connection = ChannelModel;

interface Closable {
  close(): Promise<void>;
  once(event: 'close', listener: () => void): unknown;
}

/** Connects once. The broker shows the connection under this name. */
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

/** Closes a channel or connection. If the peer disappears in between, the client never answers but emits `close`. */
export async function closeGently(open: Closable): Promise<void> {
  const ended = new Promise<void>((resolve) => open.once('close', resolve));
  const answered = open.close().catch(() => {});
  await Promise.race([answered, ended]);
}

/** Whether the promise settles within the limit. */
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

/** Destroys a connection without a closing handshake, because the broker may be gone. */
export function destroy({ connection }: Connection): void {
  // The client only half-closes it, which a dead peer never answers.
  (connection as unknown as { readonly stream: Duplex }).stream.destroy(
    new Error('The connection was destroyed because the broker did not answer.'),
  );
}

/** The maximum frame size that both sides have negotiated. */
export function frameMaxOf({ connection }: Connection): number {
  return (connection as unknown as { readonly frameMax: number }).frameMax;
}
