import { createHmac } from 'node:crypto';
import { UnauthenticatedError } from '@svc/core';
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from './verify-webhook.js';

const [key, otherKey] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
const secretOf = (bytes: Buffer): string => `whsec_${bytes.toString('base64')}`;
const body = Buffer.from('{"amount":1}');
const now = Math.floor(Date.now() / 1_000);

function headers(timestamp = now, bytes = key, id = 'msg_1'): Record<string, string> {
  const signature = createHmac('sha256', bytes).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` };
}

describe('verifyWebhook', () => {
  it('verifies the example of the Standard Webhooks libraries', () => {
    const example = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const text = Buffer.from('{"test": 2432232314}');
    const verified = verifyWebhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', example, text, {
      toleranceSeconds: Infinity,
    });
    expect(verified).toEqual({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: new Date(1_614_265_330_000) });
  });

  it('accepts one valid signature among several, by one of several secrets', () => {
    const given = headers();
    given['webhook-signature'] = `v1a,AAAA v1,AAAA ${given['webhook-signature']}`;
    expect(verifyWebhook([secretOf(otherKey), secretOf(key)], given, body).id).toBe('msg_1');
  });

  it.each<[string, Record<string, string>, Buffer?]>([
    ['another secret', headers(now, otherKey)],
    ['another body', headers(), Buffer.from('{"amount":2}')],
    ['another id', { ...headers(), 'webhook-id': 'msg_2' }],
    ['another time', { ...headers(), 'webhook-timestamp': String(now - 1) }],
    ['a time that is not a number', { ...headers(), 'webhook-timestamp': 'now' }],
    ['an empty signature', { ...headers(), 'webhook-signature': 'v1,' }],
    ['another version', { ...headers(), 'webhook-signature': headers()['webhook-signature']!.replace('v1', 'v2') }],
    ['no headers', {}],
    ['an old signature', headers(now - 302)],
    ['a signature of the future', headers(now + 302)],
  ])('rejects %s', (_title, given, bytes = body) => {
    expect(() => verifyWebhook(secretOf(key), given, bytes)).toThrow(UnauthenticatedError);
  });

  it('accepts an older signature within the tolerance', () => {
    expect(() => verifyWebhook(secretOf(key), headers(now - 302), body, { toleranceSeconds: 400 })).not.toThrow();
  });
});
