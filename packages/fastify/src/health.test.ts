import { createService, HealthStatus, type HealthResult, type Service } from '@svc/core';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, it } from 'vitest';
import type { HealthProbesOptions } from '@svc/http';
import { health } from './health.js';
import { orderRegistry } from './testing/order-service.js';

const { Healthy, Degraded, Unhealthy } = HealthStatus;

async function host(options: HealthProbesOptions = {}) {
  const state: { database: HealthResult } = { database: { status: Healthy } };
  const [command] = orderRegistry.endpoints;
  const service: Service = createService({ ...orderRegistry, endpoints: [], receptors: [] })
    .addReceptor(command!.command, { receive: () => null }, 'Nothing')
    .addHealthCheck({ name: 'db', tags: ['storage'], cacheMs: 0, check: () => state.database });
  const app: FastifyInstance = Fastify();
  await app.register(health(service, options));
  const probe = async (url: string) => {
    const { statusCode, headers, body } = await app.inject({ method: 'GET', url });
    return { statusCode, type: headers['content-type'], cache: headers['cache-control'], ...JSON.parse(body) };
  };
  return { state, service, app, probe };
}

it.each([
  [Healthy, 200, 'pass'],
  [Degraded, 200, 'warn'],
  [Unhealthy, 503, 'fail'],
])('returns for readiness of a host that is %s status %i and %s', async (status, code, word) => {
  const { state, probe } = await host();
  state.database = { status, description: 'as it is', data: { ms: 3 } };
  expect(await probe('/health/ready')).toEqual({
    statusCode: code,
    type: 'application/health+json; charset=utf-8',
    cache: 'no-store',
    status: word,
    checks: {
      self: [expect.objectContaining({ status: 'pass' })],
      drain: [expect.objectContaining({ status: 'pass' })],
      svc_schedule: [expect.objectContaining({ status: 'pass', data: { overdue: 0, lateMs: 0 } })],
      db: [
        {
          status: word,
          output: 'as it is',
          data: { ms: 3 },
          tags: ['storage'],
          time: expect.any(String) as string,
          durationMs: expect.any(Number) as number,
        },
      ],
    },
  });
});

it('runs only the self check for liveness', async () => {
  const { state, probe } = await host();
  state.database = { status: Unhealthy };
  const answer = await probe('/health/live');
  expect([answer.statusCode, Object.keys(answer.checks as object)]).toEqual([200, ['self']]);
});

it('is not ready but alive as soon as the host drains', async () => {
  const { service, probe } = await host();
  expect((await probe('/health/ready')).statusCode).toBe(200);
  service.drain();
  expect((await probe('/health/ready')).statusCode).toBe(503);
  expect((await probe('/health/live')).statusCode).toBe(200);
});

it('serves further paths with selected checks, and can hide details', async () => {
  const { app, probe } = await host({
    live: false,
    ready: '/up',
    details: false,
    probes: { '/storage': ({ tags }) => tags.includes('storage') },
  });
  expect((await app.inject('/health/live')).statusCode).toBe(404);
  expect(await probe('/up')).toMatchObject({ status: 'pass' });
  expect(await probe('/storage')).not.toHaveProperty('checks');
});
