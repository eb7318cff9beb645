import type { Service } from '@svc/core';
import Fastify, { type FastifyInstance } from 'fastify';
import { svcGraphQL, type SvcGraphQLOptions } from '../index.js';
import { trialService, type Receive } from './trial-service.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly data?: Record<string, unknown> | null;
    readonly errors?: readonly {
      message: string;
      path?: unknown;
      extensions: { code: string; [key: string]: unknown };
    }[];
  };
}

export interface TrialHost {
  readonly app: FastifyInstance;
  readonly url: string;
  /** What was logged at the level `error` or above, as JSON. */
  readonly errors: string[];
  readonly send: (query: string, variables?: unknown, more?: object) => Promise<Answer>;
  readonly post: (body: unknown, headers?: Record<string, string>) => Promise<Answer>;
}

/** The headers of clients that know GraphQL over HTTP. */
const graphQLHeaders = { 'content-type': 'application/json', accept: 'application/graphql-response+json' };

/** Serves over real HTTP while `use` runs. */
export async function hosting(
  options: SvcGraphQLOptions & { receive?: Receive; service?: Service },
  use: (host: TrialHost) => Promise<void>,
): Promise<void> {
  const { receive, service = trialService(receive), ...rest } = options;
  const errors: string[] = [];
  const app = Fastify({ logger: { level: 'error', stream: { write: (line) => void errors.push(line) } } });
  await app.register(svcGraphQL(service, rest));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const post: TrialHost['post'] = async (body, headers = graphQLHeaders) => {
    const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: text });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
  };
  const send: TrialHost['send'] = (query, variables, more = {}) => post({ query, variables, ...more });
  try {
    await use({ app, url, errors, send, post });
  } finally {
    await app.close();
  }
}

export const mutation = 'mutation ($command: CountInput!) { count(command: $command) { amount price } }';
export const command = { amount: 2, price: '3.50', tags: ['a'] };
