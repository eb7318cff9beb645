import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { svc } from '@svc/fastify';
import Fastify from 'fastify';
import { describe } from 'vitest';
import { describeHookLifecycle } from './hook-lifecycle-matrix.js';
import type { Outcome, Transport } from './transport.js';

/** Real HTTP on a free loopback port, a connection per request. */
const rest: Transport = {
  async start(service) {
    const errors: unknown[] = [];
    const app = Fastify();
    app.addHook('onError', (_request, _reply, error, done) => {
      errors.push(error);
      done();
    });
    await app.register(svc(service));
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    return {
      errors,
      send: async (body, { abort } = {}) => await post(port, JSON.stringify(body), abort),
      stop: () => app.close(),
    };
  },
};

function post(port: number, body: string, abort: AbortSignal | undefined): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port, method: 'POST', path: '/orders', agent: false, headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(outcomeOf(response.statusCode ?? 0, JSON.parse(text))));
      },
    );
    request.on('error', (error) => (abort?.aborted === true ? resolve({ kind: 'gone' }) : reject(error)));
    abort?.addEventListener('abort', () => request.destroy(), { once: true });
    request.end(body);
  });
}

function outcomeOf(status: number, answer: unknown): Outcome {
  if (status === 200) return { kind: 'result', result: answer };
  if (status >= 500) return { kind: 'failed' };
  return { kind: 'refused', reason: (answer as { detail: string }).detail };
}

describe('over REST', () => {
  describeHookLifecycle(rest);
});
