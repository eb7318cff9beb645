/**
 * Stands in for the API server of a cluster, which cannot run here: a real HTTP server that speaks the parts of the API that
 * deployments use, keeps objects, counts generations, refuses stale and unknown fields, and moves rollouts on as controllers would.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { unknownFields } from './field-check.js';
import { applyPatch } from './patches.js';
import { acceptRoute, rolloutStep, type Kubernetes } from './rollout.js';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: unknown;
}

export class EmulatedApi {
  readonly calls: Call[] = [];
  readonly objects = new Map<string, Kubernetes>();
  readonly replicaSets: Kubernetes[] = [];
  /** Answers the next calls with these statuses instead. */
  readonly failures: number[] = [];
  /** The controller of the gateway runs not: routes are kept, and nobody goes by them. */
  gatewayIsDown = false;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<EmulatedApi> {
    const api = new EmulatedApi();
    api.#server.listen(0, '127.0.0.1');
    await once(api.#server, 'listening');
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Writes, in their order: `PATCH deployments/orders`. Claims, which come before and after everything else, are left out. */
  get writes(): readonly string[] {
    return this.calls
      .filter(({ method, body }) => method !== 'GET' && !JSON.stringify(body).includes('svc.deploy/claim'))
      .map(({ method, path }) => `${method} ${path}`);
  }

  add(path: string, object: Kubernetes): void {
    this.objects.set(path, {
      ...object,
      metadata: { generation: 1, resourceVersion: '1', uid: path, ...object.metadata },
    });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const url = new URL(request.url ?? '/', this.url);
    const [, path = ''] = /\/namespaces\/shop\/(.+)$/.exec(url.pathname) ?? [];
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const type = request.headers['content-type'] ?? '';
    this.calls.push({ method: request.method ?? '', path, type, body });
    const [status, answer] = this.#handle(request.method ?? '', path, url, type, body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  #handle(method: string, path: string, url: URL, type: string, body: unknown): [number, unknown] {
    const failure = this.failures.shift();
    if (failure !== undefined) return failureOf(failure, 'not now');
    if (path === 'replicasets') return [200, { kind: 'ReplicaSetList', items: this.replicaSets }];
    const key = path.replace(/\/scale$/, '');
    const object = this.objects.get(key);
    if (object === undefined) return failureOf(404, `${key} not found`);
    if (method === 'GET') return [200, this.#shown(object)];
    if (url.searchParams.get('fieldValidation') !== 'Strict') return failureOf(400, 'fieldValidation is not Strict');
    const next = method === 'PUT' ? (body as Kubernetes) : applyPatch(object, body, type);
    const unknown = unknownFields(next);
    if (unknown.length > 0) return failureOf(400, `strict decoding error: unknown field "${unknown[0]}"`);
    // Also of a patch, when it names the version that it was made for.
    if (next.metadata.resourceVersion !== object.metadata.resourceVersion) {
      return failureOf(409, 'the object has been modified');
    }
    return [200, this.#store(key, object, next)];
  }

  #shown(object: Kubernetes): Kubernetes {
    if (object.kind === 'HTTPRoute' && !this.gatewayIsDown) acceptRoute(object);
    return object.kind === 'Deployment' ? rolloutStep(object) : object;
  }

  #store(key: string, before: Kubernetes, next: Kubernetes): Kubernetes {
    const changed = JSON.stringify(before.spec) !== JSON.stringify(next.spec);
    const metadata = {
      ...next.metadata,
      generation: Number(before.metadata.generation) + (changed ? 1 : 0),
      resourceVersion: String(Number(before.metadata.resourceVersion) + 1),
    };
    const stored = { ...next, metadata };
    this.objects.set(key, stored);
    return stored;
  }
}

function failureOf(code: number, message: string): [number, unknown] {
  return [code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code }];
}
