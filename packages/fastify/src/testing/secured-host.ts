import { runAsHost, SystemEventStream, type Authenticator, type Service } from '@svc/core';
import Fastify, { type FastifyInstance } from 'fastify';
import { svc } from '../plugin.js';
import { listen, post, type Answer } from './http.js';
import { capturedLog, type LogLine } from './logs.js';
import { securedService } from './secured-service.js';

/** A service with authentication, listening on a loopback port. */
export class SecuredHost {
  readonly service: Service;
  readonly app: FastifyInstance;
  readonly lines: LogLine[];
  port = 0;

  constructor(...authenticators: Authenticator[]) {
    const { logger, lines } = capturedLog();
    this.lines = lines;
    this.service = securedService(...authenticators);
    this.app = Fastify({ logger });
  }

  static async start(...authenticators: Authenticator[]): Promise<SecuredHost> {
    const host = new SecuredHost(...authenticators);
    await host.app.register(svc(host.service));
    host.port = await listen(host.app);
    return host;
  }

  post(path: string, headers: Record<string, string> = {}, body: object | string = {}): Promise<Answer> {
    return post(this.port, body, headers, path);
  }

  /** The response to a bearer of this token. */
  withToken(token: string, path = '/look', body: object = {}): Promise<Answer> {
    return this.post(path, { authorization: `Bearer ${token}` }, body);
  }

  /** The payloads of the system stream, of one type or all. */
  async systemEvents(type?: string): Promise<Record<string, unknown>[]> {
    await this.service.idle();
    const found: Record<string, unknown>[] = [];
    const events = runAsHost(() => this.service.eventStore.readStream(SystemEventStream.streamId));
    for await (const { envelope } of events) {
      if (type === undefined || envelope.type === `svc.${type}`) found.push({ ...envelope.payload, envelope });
    }
    return found;
  }

  /** Everything that was logged, as one text. */
  get log(): string {
    return JSON.stringify(this.lines);
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.service.stop();
  }
}
