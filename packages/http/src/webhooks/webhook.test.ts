import { inspect } from 'node:util';
import type { Event } from '@svc/core';
import { describe, expect, it } from 'vitest';
import { webhook } from './webhook.js';

class OrderPlaced implements Event {}

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const create = (options: Partial<Parameters<typeof webhook>[0]>): unknown =>
  webhook({
    name: 'partner',
    url: 'https://example.com/hook',
    secret,
    events: [OrderPlaced],
    tenantId: null,
    ...options,
  });

describe('webhook', () => {
  it.each([
    ['no URL', { url: 'example.com' }, 'url must be a URL'],
    ['a URL without TLS', { url: 'http://example.com/' }, 'must start with https:'],
    ['another scheme', { url: 'ftp://127.0.0.1/', allowPrivateAddresses: true }, 'must start with https:'],
    ['a password in the URL', { url: 'https://a:b@example.com/' }, 'must not contain a user or a password'],
    ['no events', { events: [] }, 'events must not be empty'],
    ['no tenant', { tenantId: undefined as never }, 'tenantId must be the tenant'],
    ['an empty tenant', { tenantId: '' }, 'tenantId must be the tenant'],
    ['no time', { timeoutMs: 0 }, 'timeoutMs must be a whole number of at least 1'],
    ['no secret', { secret: [] }, 'The secret of a webhook must be "whsec_"'],
    ['a secret without its prefix', { secret: secret.slice(6) }, 'The secret of a webhook must be "whsec_"'],
    ['a short secret', { secret: 'whsec_c2hvcnQ=' }, '24 to 64 random bytes'],
    ['a secret that is not Base64', { secret: `whsec_${'?'.repeat(40)}` }, '24 to 64 random bytes'],
  ])('rejects %s', (_title, options, message) => {
    expect(() => create(options)).toThrow(message);
  });

  it.each([
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://0.0.0.0/',
    'https://10.1.2.3/',
    'https://172.31.0.1/',
    'https://192.168.0.1/',
    'https://169.254.169.254/',
    'https://100.64.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fc00::1]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
  ])('rejects the address of %s, unless private addresses are allowed', (url) => {
    expect(() => create({ url })).toThrow(expect.objectContaining({ code: 'SVC_WEBHOOK_ADDRESS_REJECTED' }));
    expect(() => create({ url, allowPrivateAddresses: true })).not.toThrow();
  });

  it.each(['https://93.184.216.34/', 'https://[2606:4700::1111]/', 'https://127.0.0.1.example.com/'])(
    'accepts the address of %s',
    (url) => {
      expect(() => create({ url })).not.toThrow();
    },
  );

  it('does not show its secret when it is inspected', () => {
    const added = create({});
    expect(inspect(added, { depth: 10, showHidden: true })).not.toContain(secret.slice(6));
    expect(JSON.stringify(added)).not.toContain(secret.slice(6));
  });
});
