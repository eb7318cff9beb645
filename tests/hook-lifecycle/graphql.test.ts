import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Telemetry } from '@svc/core/hosting';
import { svc } from '@svc/fastify';
import { graphQL } from '@svc/graphql';
import Fastify from 'fastify';
import { describe } from 'vitest';
import { describeHookLifecycle } from './hook-lifecycle-matrix.js';
import type { Outcome, Transport } from './transport.js';

const query = 'mutation ($command: PlaceOrderInput!) { placeOrder(command: $command) }';

/** Real HTTP on a free loopback port, a connection per request. `warmUps` requests run first, so that the operation is compiled. */
function graphql(warmUps: number): Transport {
  return {
    async start(service) {
      const errors: unknown[] = [];
      const app = Fastify();
      await app.register(svc(service.useTelemetry(noting(errors)), { graphql: graphQL() }));
      await app.listen({ port: 0, host: '127.0.0.1' });
      const { port } = app.server.address() as AddressInfo;
      // Rejected by the reader, so that no hook and no receptor runs.
      for (let i = 0; i < warmUps; i++) await post(port, {}, undefined);
      return {
        errors,
        send: async (command, { abort } = {}) => await post(port, command, abort),
        stop: () => app.close(),
      };
    },
  };
}

/** Records the errors that an endpoint passes to the transport. */
function noting(errors: unknown[]): Telemetry {
  return {
    endpoint: (inner) => ({
      ...inner,
      endpoint: {
        handle: (...given) =>
          inner.endpoint.handle(...given).catch((error: unknown) => {
            errors.push(error);
            throw error;
          }),
      },
    }),
  };
}

function post(port: number, command: object, abort: AbortSignal | undefined): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port, method: 'POST', path: '/graphql', agent: false, headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(outcomeOf(JSON.parse(text) as Answer)));
      },
    );
    request.on('error', (error) => (abort?.aborted === true ? resolve({ kind: 'gone' }) : reject(error)));
    abort?.addEventListener('abort', () => request.destroy(), { once: true });
    request.end(JSON.stringify({ query, variables: { command } }));
  });
}

interface Answer {
  readonly data: { readonly placeOrder: unknown } | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

function outcomeOf({ data, errors: [error] = [] }: Answer): Outcome {
  if (error === undefined) return { kind: 'result', result: data?.placeOrder };
  return error.extensions.code === 'INTERNAL_ERROR' ? { kind: 'failed' } : { kind: 'refused', reason: error.message };
}

describe('over GraphQL', () => {
  describeHookLifecycle(graphql(0));
});

describe('over GraphQL, compiled', () => {
  describeHookLifecycle(graphql(2));
});
