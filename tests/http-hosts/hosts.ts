/** The hosts that svc runs on, each real and listening on a free loopback port. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve as serveFetch } from '@hono/node-server';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { health, serverLimits, svc } from '@svc/fastify';
import { fetchHandler, nodeHandler, serve, type HostOptions, type RequestLog } from '@svc/http';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import type { Orders } from './orders.js';

export interface Listening {
  readonly port: number;
  stop(): Promise<void>;
}

export interface Host {
  readonly name: string;
  /** @param lines receives what the host logs of requests */
  start(orders: Orders, lines: LogLine[], options?: HostOptions): Promise<Listening>;
}

export interface LogLine {
  readonly message: string;
  readonly traceId?: string;
  readonly err?: { readonly message?: string };
}

function logTo(lines: LogLine[]): RequestLog {
  const write = (fields: object, message: string): void => void lines.push({ ...fields, message });
  return { info: write, error: write };
}

const loopback = '127.0.0.1';
const portOf = (server: Pick<Server, 'address'>): number => (server.address() as AddressInfo).port;

function close(server: Pick<Server, 'close'>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    if ('closeAllConnections' in server) (server as Server).closeAllConnections();
  });
}

function listening(server: Server): Promise<Server> {
  return new Promise((resolve) => server.listen(0, loopback, () => resolve(server)));
}

@Module({})
class EmptyModule {}

export const hosts: readonly Host[] = [
  {
    name: 'Fastify',
    async start({ service }, lines, { prefix = '', ...options } = {}) {
      const write = (text: string): void => {
        const { msg, ...fields } = JSON.parse(text) as { msg: string };
        lines.push({ ...fields, message: msg });
      };
      const app = Fastify({ ...serverLimits(), logger: { stream: { write } } });
      await app.register(health(service), { prefix });
      await app.register(svc(service, options), { prefix });
      await app.listen({ port: 0, host: loopback });
      return {
        port: portOf(app.server),
        async stop() {
          await app.close();
          await service.stop();
        },
      };
    },
  },
  {
    name: 'node:http',
    async start({ service }, lines, options) {
      const host = await serve(service, { ...options, log: logTo(lines), port: 0, drain: { limitMs: 5000 } });
      return { port: portOf(host.server), stop: () => host.stop() };
    },
  },
  {
    name: 'Express',
    async start({ service }, lines, options) {
      const app = express();
      app.use(await nodeHandler(service, { ...options, log: logTo(lines) }));
      app.get('/own', (_request, response) => void response.send('own'));
      const server = await listening(createServer(app));
      return {
        port: portOf(server),
        async stop() {
          await close(server);
          await service.stop();
        },
      };
    },
  },
  {
    name: 'NestJS',
    async start({ service }, lines, options) {
      const app = await NestFactory.create<NestExpressApplication>(EmptyModule, { logger: false });
      app.use(await nodeHandler(service, { ...options, log: logTo(lines) }));
      await app.listen(0, loopback);
      return {
        port: portOf(app.getHttpServer()),
        async stop() {
          app.getHttpServer().closeAllConnections();
          await app.close();
          await service.stop();
        },
      };
    },
  },
  {
    name: 'fetch (Hono)',
    async start({ service }, lines, options) {
      const app = new Hono();
      const handler = await fetchHandler(service, { ...options, log: logTo(lines) });
      app.all('*', ({ req }) => handler(req.raw));
      const server = await new Promise<Server>((resolve) => {
        const created = serveFetch({ fetch: app.fetch, port: 0, hostname: loopback }, () => resolve(created as Server));
      });
      return {
        port: portOf(server),
        async stop() {
          await close(server);
          await service.stop();
        },
      };
    },
  },
];
