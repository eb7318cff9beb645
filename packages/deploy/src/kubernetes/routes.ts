import { setTimeout as sleep } from 'node:timers/promises';
import { DeployError } from '../deploy-error.js';
import type { ClusterApi } from './api.js';
import { call, strict } from './call.js';
import { isAccepted, type HttpRoute } from './http-route.js';

const kind = { group: 'gateway.networking.k8s.io', version: 'v1', plural: 'httproutes' } as const;
const attempts = 5;

/** Reads and changes one HTTPRoute. */
export class Routes {
  readonly #api: ClusterApi;
  readonly #place: { readonly namespace: string; readonly name: string };
  readonly #timing: { readonly pollMs: number; readonly acceptMs: number };

  constructor(
    api: ClusterApi,
    place: { readonly namespace: string; readonly name: string },
    timing: { readonly pollMs: number; readonly acceptMs: number },
  ) {
    this.#api = api;
    this.#place = place;
    this.#timing = timing;
  }

  async read(): Promise<HttpRoute> {
    return (await call(`read HTTPRoute ${this.#place.name}`, (options) =>
      this.#api.custom.getNamespacedCustomObject({ ...kind, ...this.#place }, options),
    )) as HttpRoute;
  }

  /**
   * Changes the current route; after a conflicting write, the change is applied again to the new state. Resolves once the gateway has
   * accepted the route, even if the change was already written.
   */
  async change(changed: (route: HttpRoute) => HttpRoute): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const route = await this.read();
      const body = changed(route);
      if (JSON.stringify(body) === JSON.stringify(route)) return await this.#accepted();
      try {
        await call(`change HTTPRoute ${this.#place.name}`, (options) =>
          this.#api.custom.replaceNamespacedCustomObject({ ...kind, ...this.#place, ...strict, body }, options),
        );
        return await this.#accepted();
      } catch (error) {
        if (!(error instanceof DeployError) || error.code !== 'conflict' || attempt === attempts) throw error;
      }
    }
  }

  async #accepted(): Promise<void> {
    const end = Date.now() + this.#timing.acceptMs;
    while (!isAccepted(await this.read())) {
      if (Date.now() > end) {
        throw new DeployError(
          'unreachable',
          `The gateway has not accepted HTTPRoute ${this.#place.name}. Check the status of the route.`,
        );
      }
      await sleep(this.#timing.pollMs);
    }
  }
}
