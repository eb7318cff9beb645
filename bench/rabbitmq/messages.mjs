/** The messages that every subject sends and receives. */
import { newId } from '@svc/core';
import { toCloudEvent } from '@svc/core/transport';
import { transportMessage } from '@svc/core/testing';

export const batchSize = 500;
export const prefetch = 1_000;
export const topic = 'orders';
export const type = 'orders.OrderPlaced';
export const queueArguments = { 'x-queue-type': /** @type {const} */ ('quorum'), 'x-single-active-consumer': true };

const streams = Array.from({ length: 100 }, () => newId());
const body = JSON.stringify({ note: 'x'.repeat(1_011) });
let made = 0;

export function nextMessage() {
  const streamId = streams[made++ % streams.length] ?? newId();
  return transportMessage({ type, destination: topic, streamId, body, origin: 'sender', scope: { tenantId: 'bench' } });
}

/** The message as sent to the broker. */
export function nextOutbound() {
  const message = nextMessage();
  const { attributes, contentType } = toCloudEvent(message);
  return { content: Buffer.from(message.body), headers: attributes, contentType, messageId: message.id };
}

/** @typedef {{ url: string, prefix: string, file: string }} Place */
