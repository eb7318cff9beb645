import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Service } from '@svc/core';
import { serve } from '@svc/http';
import { graphQL, type GraphQLOptions } from '../index.js';
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
  readonly url: string;
  /** What was logged at the level `error`, as JSON. */
  readonly errors: string[];
  readonly send: (query: string, variables?: unknown, more?: object) => Promise<Answer>;
  /** GET with any header, including those that `fetch` sets itself; resolves with the status and the body. */
  readonly get: (path: string, headers: Record<string, string>) => Promise<readonly [status: number, body: string]>;
  readonly post: (body: unknown, headers?: Record<string, string>) => Promise<Answer>;
}

/** The headers of clients that know GraphQL over HTTP. */
const graphQLHeaders = { 'content-type': 'application/json', accept: 'application/graphql-response+json' };

/** Serves over real HTTP while `use` runs. */
export async function hosting(
  options: GraphQLOptions & { receive?: Receive; service?: Service },
  use: (host: TrialHost) => Promise<void>,
): Promise<void> {
  const { receive, service = trialService(receive), ...rest } = options;
  const errors: string[] = [];
  const log = {
    info: () => {},
    error: (fields: object, msg: string) => void errors.push(JSON.stringify({ ...fields, msg })),
  };
  const host = await serve(service, { port: 0, log, graphql: graphQL(rest) });
  const { url } = host;
  const get: TrialHost['get'] = (path, headers) =>
    new Promise((resolve, reject) => {
      const sent = request(url + path, { headers }, (response) => {
        text(response).then((body) => resolve([response.statusCode!, body]), reject);
      });
      sent.on('error', reject).end();
    });
  const post: TrialHost['post'] = async (body, headers = graphQLHeaders) => {
    const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: sent });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
  };
  const send: TrialHost['send'] = (query, variables, more = {}) => post({ query, variables, ...more });
  try {
    await use({ url, errors, send, get, post });
  } finally {
    await host.stop();
  }
}

export const mutation = 'mutation ($command: CountInput!) { count(command: $command) { amount price } }';
export const command = { amount: 2, price: '3.50', tags: ['a'] };
