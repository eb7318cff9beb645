import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importDiagram } from '../../tools/lint/diagram.mjs';
import { coreFolders, violation } from '../../tools/lint/layers.mjs';

describe('the import rules', () => {
  it.each([
    ['packages/core/src/dispatch/dispatcher.ts', '../messages/index.js'],
    ['packages/core/src/dispatch/dispatcher.ts', './unit-of-work.js'],
    ['packages/core/src/index.ts', './hosting/index.js'],
    ['packages/fastify/src/plugin.ts', '@svc/core'],
    ['packages/fastify/src/plugin.ts', '@svc/core/json'],
    ['packages/fastify/src/plugin.ts', 'fastify'],
    ['packages/graphql/src/execution.ts', 'graphql-jit'],
    ['packages/graphql/src/graphql.ts', '@svc/http/hosting'],
    ['packages/graphql/src/explorer/index.ts', '#explorer'],
    ['packages/generator/src/analysis/compiler.ts', 'typescript'],
    ['packages/telemetry/src/metrics/prometheus.ts', 'prom-client'],
    ['packages/cli/src/generate.ts', '@svc/generator'],
    ['packages/cli/src/database/choose-database.ts', '@svc/sqlite'],
    ['packages/core/src/json/issues.test.ts', 'vitest'],
    ['packages/core/src/migrations/strategy.test.ts', 'node:fs'],
    ['examples/orders/src/host.ts', '@svc/fastify'],
  ])('let %s import %s', (file, specifier) => expect(violation(file, specifier)).toBeNull());

  it.each([
    ['packages/core/src/messages/envelope.ts', '../dispatch/index.js', 'messages comes before dispatch'],
    ['packages/core/src/dispatch/dispatcher.ts', '../messages/envelope.js', 'through its index'],
    ['packages/core/src/dispatch/dispatcher.ts', 'node:net', 'core must not import node:net'],
    ['packages/core/src/dispatch/dispatcher.ts', 'node:fs', 'only src/seals/thread/digesting-worker.ts'],
    ['packages/core/src/new-folder/x.ts', '../json/index.js', 'is missing in coreFolders'],
    ['packages/core/src/index.ts', '@svc/core', 'by relative path'],
    ['packages/core/src/index.ts', '@svc/fastify', 'core must not import fastify'],
    ['packages/http/src/index.ts', 'fastify', 'http must not import fastify'],
    ['packages/http/src/index.ts', '@svc/fastify', 'http must not import fastify'],
    ['packages/fastify/src/plugin.ts', '@svc/generator', 'fastify must not import generator'],
    ['packages/rabbitmq/src/wire.ts', '@svc/core/storage', 'rabbitmq must not import core/storage'],
    ['packages/postgres/src/rows.ts', '@svc/core/testing', 'postgres must not import core/testing'],
    ['packages/fastify/src/plugin.ts', '@svc/core/dist/index.js', 'only the entry points'],
    ['packages/fastify/src/plugin.ts', '../../core/src/index.js', 'its own src only'],
    ['packages/http/src/index.ts', '#api-page', 'only src/docs/api-page.ts imports #api-page'],
    ['packages/graphql/src/options.test.ts', '../assets/explorer.js', 'its own src only'],
    ['packages/core/src/perspectives/own-version.ts', './testing/trial-host.js', 'only tests import'],
    ['packages/fastify/src/plugin.ts', './testing/server.js', 'only tests import'],
    ['packages/fastify/src/plugin.ts', 'express', 'fastify must not import express'],
    ['packages/graphql/src/plugin.ts', '@svc/fastify', 'graphql must not import fastify'],
    ['packages/generator/src/emit/index.ts', 'typescript', 'only src/analysis/compiler.ts imports typescript'],
    ['packages/generator/src/emit/index.test.ts', 'typescript', 'only src/analysis/compiler.ts imports typescript'],
    ['packages/telemetry/src/spans.ts', 'prom-client', 'only src/metrics/prometheus.ts imports prom-client'],
    [
      'packages/telemetry/src/spans.ts',
      '@opentelemetry/sdk-trace-base',
      'must not import @opentelemetry/sdk-trace-base',
    ],
    ['packages/unknown/src/index.ts', './x.js', 'has no import rules'],
    ['examples/orders/src/host.ts', '../../../packages/core/src/index.js', 'by its name'],
  ])('prevent %s from importing %s', (file, specifier, why) => expect(violation(file, specifier)).toContain(why));

  it('are drawn in docs/architecture.md', () => {
    const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
    expect(page).toContain(importDiagram());
  });

  it('know every folder of core in the order of docs/architecture.md', () => {
    const root = new URL('../../', import.meta.url);
    const folders = readdirSync(new URL('packages/core/src', root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    expect(coreFolders.toSorted()).toEqual(folders.toSorted());
    const page = readFileSync(new URL('docs/architecture.md', root), 'utf8');
    const listed = [...page.slice(page.indexOf('### Inside `core`')).matchAll(/^(\w[\w-]*)\/ {2,}/gm)].map(
      ([, name]) => name,
    );
    expect(listed.slice(0, coreFolders.length)).toEqual(coreFolders);
  });
});
