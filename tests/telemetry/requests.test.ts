/** HTTP requests: the trace in responses, in the log and in spans. */
import type { Server } from 'node:http';
import { context, ROOT_CONTEXT, trace, type Context } from '@opentelemetry/api';
import { metrics, structuredLogs, svc } from '@svc/fastify';
import { activeTrace, openTelemetry } from '@svc/telemetry';
import { prometheus } from '@svc/telemetry/prometheus';
import Fastify from 'fastify';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { samplesIn } from './samples.js';
import { Sdk } from './sdk.js';
import { shopWithEndpoint } from './watched-shop.js';

const sdk = Sdk.register();
beforeEach(() => sdk.forget());
afterAll(() => sdk.stop());

const failing = (): never => {
  throw new Error('no');
};

async function host(handle?: () => never) {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const app = Fastify(structuredLogs({ stream, activeTrace }));
  const gathered = prometheus({ labels: { environment: 'green' } });
  const service = shopWithEndpoint(handle).useTelemetry(openTelemetry({ metrics: [gathered] }));
  await app.register(metrics(service, gathered));
  await app.register(svc(service));
  return { app, lines, gathered };
}

/** Like OpenTelemetry's HTTP instrumentation: everything of a request runs in a context. */
function traceRequests(server: Server, active: Context): void {
  const emit = server.emit.bind(server);
  server.emit = (name: string, ...given: unknown[]) => {
    if (name !== 'request') return emit(name, ...given);
    for (const emitter of given) context.bind(active, emitter);
    return context.with(active, () => emit(name, ...given));
  };
}

const request = { method: 'POST', url: '/place-order', payload: {} } as const;

it('a failed request is reported, logged and traced under one id, also without HTTP instrumentation', async () => {
  const { app, lines } = await host(failing);
  const answer = await app.inject(request);
  const [endpoint] = sdk.spans('svc.endpoint');
  const { traceId } = endpoint!.spanContext();
  expect(answer.json<{ traceId: string }>().traceId).toBe(traceId);
  expect(lines.find(({ msg }) => msg === 'request failed')).toMatchObject({ traceId });
  await app.close();
});

it('below a span of the host, every log line and the problem have its trace', async () => {
  const { app, lines } = await host(failing);
  const server = trace.getTracer('test').startSpan('POST');
  traceRequests(app.server, trace.setSpan(ROOT_CONTEXT, server));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url + request.url, { method: 'POST', headers, body: '{}' });
  const problem = (await answer.json()) as { traceId: string };
  // The line of the completed request comes after the answer.
  await expect.poll(() => lines.some(({ msg }) => msg === 'request completed')).toBe(true);
  server.end();
  const { traceId } = server.spanContext();
  expect(problem.traceId).toBe(traceId);
  const ofRequest = lines.filter((line) => 'traceId' in line);
  expect(ofRequest.map(({ msg }) => msg)).toEqual(['incoming request', 'request failed', 'request completed']);
  for (const line of ofRequest) expect(line['traceId']).toBe(traceId);
  expect(sdk.spans('svc.endpoint')[0]?.spanContext().traceId).toBe(traceId);
  await app.close();
});

it('a log line of a receptor has the current span', async () => {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const app = Fastify(structuredLogs({ stream, activeTrace }));
  const service = shopWithEndpoint(() => app.log.info('from the receptor')).useTelemetry(openTelemetry());
  await app.register(svc(service));
  await app.inject(request);
  const { traceId, spanId } = sdk.spans('svc.dispatch')[0]!.spanContext();
  expect(lines.find(({ msg }) => msg === 'from the receptor')).toMatchObject({ trace_id: traceId, span_id: spanId });
  await app.close();
});

it('requests are in Prometheus under the names that a canary can use', async () => {
  const { app } = await host();
  await app.inject(request);
  await app.inject({ ...request, url: `/made-up-${Math.random()}` });
  const text = (await app.inject('/metrics')).body;
  expect(samplesIn(text, 'http_server_request_duration_seconds_count')).toEqual({
    'green POST /place-order 200': 1,
    'green POST  404': 1,
  });
  expect(text).toContain('http_server_request_duration_seconds_bucket{le="0.005",environment="green"');
  expect(text).toMatch(/^process_resident_memory_bytes/m);
  expect(text).toMatch(/^# HELP svc_command_duration_seconds .+\n# TYPE svc_command_duration_seconds histogram$/m);

  // It tells errors by the status in a label, and has p99 of the buckets.
  const labels = [...text.matchAll(/^http_server_request_duration_seconds_count\{(.*)\}/gm)].map(([, found]) => found!);
  for (const label of labels) expect(label).toMatch(/http_response_status_code="\d{3}"/);
  await app.close();
});

it('a request with an idempotency key runs once and is replayed, with and without telemetry', async () => {
  const { app } = await host();
  const keyed = { ...request, headers: { 'idempotency-key': 'k' } };
  const answers = [await app.inject(keyed), await app.inject(keyed)];
  expect(answers.map(({ statusCode, headers }) => [statusCode, headers['idempotency-replayed']])).toEqual([
    [200, undefined],
    [200, 'true'],
  ]);
  expect(sdk.spans('svc.dispatch')).toHaveLength(1);
  await app.close();
});
