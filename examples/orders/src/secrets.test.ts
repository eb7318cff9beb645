/** The card token of a payment reaches the payment gateway, and no byte of the database, of the log or of a response. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandAudited, CommandRejectedError, ReceptorFailed, runAsHost, SystemEventStream } from '@svc/core';
import { structuredLogs } from '@svc/fastify';
import { sqlite } from '@svc/sqlite';
import { expect, it } from 'vitest';
import { createHost } from './host.js';
import { temporaryKeyVault } from './key-vault.js';
import { CapturedLogs } from './testing/captured-logs.js';
import { order } from './testing/secured-orders.js';

const token = 'tk"4242/qvz ü';
const forms = [token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token), '4242/qvz', '4242%2Fqvz'];

it('stores, logs and returns no card token, however a payment ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-secrets-'));
  const logs = new CapturedLogs();
  const answers: string[] = [];
  const charged: string[] = [];
  const failures: unknown[] = [
    new CommandRejectedError(`The card ${token} was declined.`),
    Object.assign(new Error(`POST https://bank.example/${encodeURIComponent(token)}`, { cause: new Error(token) }), {
      code: token,
    }),
    Object.freeze(new Error(`frozen: ${token}`)),
    token,
  ];
  const payments = {
    charge(key: string, cardToken: string): Promise<string> {
      charged.push(cardToken);
      const failure = failures[charged.length - 1];
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- one of the failures is a text
      return failure === undefined ? Promise.resolve(`payment-${key}`) : Promise.reject(failure);
    },
  };
  const host = await createHost(
    { payments, notifier: { notify: () => Promise.resolve() } },
    {
      storage: sqlite({ file: join(folder, 'orders.db') }),
      keyVault: temporaryKeyVault(),
      server: structuredLogs({ level: 'trace', stream: logs.stream }),
    },
  );
  const post = async (url: string, payload: object, headers: Record<string, string> = {}): Promise<number> => {
    const { statusCode, body } = await host.app.inject({ method: 'POST', url, payload, headers });
    answers.push(body);
    return statusCode;
  };
  try {
    await post('/orders', order);
    const { orderId } = JSON.parse(answers[0]!) as { orderId: string };
    const pay = { orderId, amount: '7.00', cardToken: token };
    const mutation = `mutation { payOrder(command: { orderId: "${orderId}", amount: "7.00", cardToken: ${JSON.stringify(token)} }) { __typename } }`;
    const withVariable = {
      query: 'mutation($command: PayOrderInput!) { payOrder(command: $command) { __typename } }',
      variables: { command: pay },
    };
    expect(await post('/orders/pay', { ...pay, cardToken: token.repeat(20) })).toBe(400);
    expect(await post('/orders/pay', { ...pay, amount: '0' })).toBe(400);
    expect(await post('/orders/pay', pay)).toBe(422);
    expect(answers.at(-1)).toContain('The card [secret] was declined.');
    expect(await post('/orders/pay', pay)).toBe(500);
    expect(await post('/graphql', { query: mutation })).toBe(200);
    expect(await post('/graphql', withVariable)).toBe(200);
    const key = { 'idempotency-key': '0190a3a4-7d5c-4cc2-8a9b-3f1f6a2b4c5d' };
    expect(await post('/orders/pay', pay, key)).toBe(200);
    expect(await post('/orders/pay', pay, key)).toBe(200);
    // The stored hash of the request must not depend on a secret that could be guessed.
    expect(await post('/orders/pay', { ...pay, cardToken: 'another' }, key)).toBe(200);
    expect(await post('/orders/pay', { ...pay, amount: '8.00' }, key)).toBe(422);
    expect(charged).toEqual([token, token, token, token, token]);

    await host.service.idle();
    const bodies = new Map<unknown, unknown[]>([
      [CommandAudited, []],
      [ReceptorFailed, []],
    ]);
    for await (const { envelope } of runAsHost(() => host.service.eventStore.readStream(SystemEventStream.streamId))) {
      bodies.get(envelope.payload.constructor)?.push(envelope.payload);
    }
    expect(bodies.get(CommandAudited)).toContainEqual(
      expect.objectContaining({ commandType: 'orders.PayOrder', commandBody: { ...pay, cardToken: '[secret]' } }),
    );
    expect(bodies.get(ReceptorFailed)).toMatchObject([
      { errorMessage: 'POST https://bank.example/[secret]' },
      { errorMessage: 'frozen: [secret]' },
      { errorMessage: 'Something that is not an error was thrown.' },
    ]);
    expect(logs.text).toContain('https://bank.example/[secret]');
  } finally {
    await host.app.close();
  }
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  expect(files.join('')).toContain('[secret]');
  const written = {
    files: files.join(''),
    log: logs.lines.map((line) => JSON.stringify(line)).join('\n'),
    answers: answers.join('\n'),
  };
  for (const [where, text] of Object.entries(written)) {
    for (const form of forms.flatMap((one) => [one, Buffer.from(one).toString('latin1')])) {
      expect({ where, form, found: text.includes(form) }).toEqual({ where, form, found: false });
    }
  }
  rmSync(folder, { recursive: true });
});
