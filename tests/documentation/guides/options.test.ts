/** Holds the tables of options to the interfaces that declare them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const textOf = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

describe.each([
  ['docs/guides/endpoints.md', 'packages/http/src/options.ts', 'SvcOptions'],
  ['docs/guides/hosts.md', 'packages/http/src/host-options.ts', 'HostOptions'],
  ['docs/guides/hosts.md', 'packages/http/src/node/serve.ts', 'ServeOptions'],
  ['docs/guides/health.md', 'packages/http/src/routes/health-routes.ts', 'HealthProbesOptions'],
  ['docs/guides/deployment.md', 'packages/http/src/drain/drain.ts', 'DrainOptions'],
  ['docs/guides/deployment.md', 'packages/fastify/src/access/canary-header.ts', 'CanaryHeaderOptions'],
  ['docs/guides/deployment.md', 'packages/http/src/server-limits.ts', 'ServerLimitOptions'],
  ['docs/guides/storage.md', 'packages/postgres/src/options.ts', 'PostgresOptions'],
  ['docs/guides/storage.md', 'packages/sqlite/src/options.ts', 'SqliteOptions'],
  ['docs/guides/migrations.md', 'packages/core/src/migrations/migration-options.ts', 'MigrationOptions'],
  ['docs/guides/transports.md', 'packages/rabbitmq/src/options.ts', 'RabbitMqOptions'],
  ['docs/guides/service-bus.md', 'packages/servicebus/src/options.ts', 'ServiceBusSettings'],
])('%s', (page, file, declared) => {
  it(`has every option of ${declared}`, () => {
    const [, body = ''] =
      new RegExp(`^export interface ${declared}\\b.*?\\{\\n(.*?)^\\}`, 'ms').exec(textOf(file)) ?? [];
    const names = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(1);
    const text = textOf(page);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  });
});

it('examples/orders/README.md has every setting that the reference service reads', () => {
  const sources = ['main', 'authentication', 'transport', 'key-vault', 'seals'].map((name) =>
    textOf(`examples/orders/src/${name}.ts`),
  );
  const settings =
    /\b(?:AUTH_[A-Z_]+|API_KEYS|AMQP_URL|KEY_VAULT|SEAL_[A-Z_]+|HOST_NAME|ACCEPT_[A-Z_]+)\b|(?<=process\.env\[')\w+/g;
  const named = sources.join('\n').match(settings) ?? [];
  const page = textOf('examples/orders/README.md');
  expect(named.length).toBeGreaterThan(10);
  expect([...new Set(named)].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
