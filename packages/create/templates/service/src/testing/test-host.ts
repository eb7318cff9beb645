import { InMemoryStorage } from '@svc/core';
import { graphQL } from '@svc/graphql'; //? graphql
import { serve, type ServedHost } from '@svc/http';
import { authentication } from '../authentication.js'; //? jwt
import { newService } from '../service.js';
import { testSecret, testToken } from './test-token.js'; //? jwt

/** The whole service in memory, on a free port. */
export class TestHost {
  readonly #host: ServedHost;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(host: ServedHost, headers: Readonly<Record<string, string>>) {
    this.#host = host;
    this.#headers = headers;
  }

  static async start(): Promise<TestHost> {
    const service = newService(new InMemoryStorage());
    service.addAuthentication(authentication({ AUTH_SECRET: testSecret })); //? jwt
    const host = await serve(service, {
      port: 0,
      graphql: graphQL(), //? graphql
    });
    return new TestHost(host, {
      'content-type': 'application/json',
      authorization: `Bearer ${await testToken('ann')}`, //? jwt
    });
  }

  get url(): string {
    return this.#host.url;
  }

  get(path: string): Promise<Response> {
    return fetch(this.url + path, { headers: this.#headers });
  }

  post(path: string, body: object): Promise<Response> {
    return fetch(this.url + path, { method: 'POST', headers: this.#headers, body: JSON.stringify(body) });
  }

  stop(): Promise<void> {
    return this.#host.stop();
  }
}
