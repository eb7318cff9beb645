/** Compares docs/reference/{configuration,events,metrics,reliability}.md and README.md with the sources, in both directions. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prometheus } from '@svc/telemetry/prometheus';
import { describe, expect, it } from 'vitest';
import { exportedOptions } from '../../tools/reference/members.mjs';
import { metricsOf } from '../../tools/reference/metrics.mjs';
import { referencePages, regenerated } from '../../tools/reference/pages.mjs';
import { regionsOf, withoutWidths } from '../../tools/reference/regions.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The sources of packages, without tests; `below` are folders in packages/. */
function sourcesOf(...below: string[]): string {
  const files = below.flatMap((folder) =>
    readdirSync(join(root, 'packages', folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:ts|mjs)$/.test(path) && !/\.test\.ts$|(?:^|\/)(?:dist|node_modules)\//.test(path))
      .map((path) => join('packages', folder, path)),
  );
  return files.map(textOf).join('\n');
}

const packages = readdirSync(join(root, 'packages'));
const unique = (names: Iterable<string>): string[] => [...new Set(names)].toSorted();
const matches = (text: string, pattern: RegExp): string[] =>
  unique([...text.matchAll(pattern)].map(([, name]) => name!));

/** The section of a page below a heading, up to the next one of its level. */
function section(page: string, heading: string): string {
  const level = /^#+/.exec(heading)![0];
  const [, after] = page.split(`\n${heading}\n`);
  if (after === undefined) throw new Error(`The page has no heading "${heading}".`);
  return after.split(new RegExp(`^#{1,${level.length}} `, 'm'))[0]!;
}

/** The names in the first column of the tables in a text. */
const firstColumn = (text: string): string[] =>
  unique([...text.matchAll(/^\| (`[^|]+`) +\|/gm)].flatMap(([, cell]) => matches(cell!, /`([^`]+)`/g)));

it.each(referencePages)('%s has what the sources have now; run "npm run reference"', (page) => {
  expect(withoutWidths(regenerated(root, page)).split('\n')).toEqual(withoutWidths(textOf(page)).split('\n'));
});

describe('configuration.md', () => {
  const page = textOf('docs/reference/configuration.md');

  it('has every environment variable that packages and new services read, and no other', () => {
    const sources = sourcesOf(
      ...packages.filter((name) => name !== 'sqlite-node20').map((name) => `${name}/src`),
      'create/templates',
    );
    const destructured = matches(sources, /\{([^{}]*)\}(?:: NodeJS\.ProcessEnv| = (?:process\.env|environment);)/g);
    const read = [
      ...matches(sources, /\b(?:process\.)?env\['(\w+)'\]/g),
      ...destructured.flatMap((names) => matches(names, /\b([A-Z][A-Z_]+)\b/g)),
    ];
    const given = matches(sourcesOf('deploy/src/instances'), /^ +(SVC_\w+):/gm);
    expect(read.length).toBeGreaterThan(15);
    expect(firstColumn(section(page, '## Environment variables'))).toEqual(unique([...read, ...given]));
  });

  it('has every setting of "svc" in package.json, and no other', () => {
    const read = matches(textOf('packages/generator/src/project.ts'), /own\['(\w+)'\]/g);
    expect(read).toContain('namespace');
    expect(firstColumn(section(page, '## package.json'))).toEqual(read);
  });

  /** Options of single calls, of tests and of tools that write code: not settings of a service. */
  const ofCalls = [
    'CommandOptions',
    'CompilerSettings',
    'HaproxyPlatformOptions',
    'InvokeOptions',
    'KubernetesPlatformOptions',
    'RebuildOptions',
    'RestrictingOptions',
    'RollingLimits',
    'ServerLimits',
    'VerifyOptions',
    'WaitOptions',
  ];

  it('has every exported type of options that is not of a single call', () => {
    const shown = new Set(regionsOf(page).map((region) => region.split(' ')[2]));
    const exported = exportedOptions(root).map(({ name }) => name);
    expect(exported.length).toBeGreaterThan(30);
    expect(exported.filter((name) => !shown.has(name) && !ofCalls.includes(name))).toEqual([]);
    expect(ofCalls.filter((name) => !exported.includes(name))).toEqual([]);
  });
});

it('events.md has every system event of @svc/core, and no other', () => {
  const types = matches(textOf('packages/core/src/generated/registry.ts'), /type: 'svc\.(\w+)'/g);
  expect(types.length).toBeGreaterThan(25);
  expect(matches(textOf('docs/reference/events.md'), /^### (\w+)$/gm)).toEqual(types);
});

describe('metrics.md', () => {
  const page = textOf('docs/reference/metrics.md');

  it('has the names and meanings that Prometheus reports', async () => {
    const text = await prometheus({ processMetrics: false }).read();
    const reported = [...text.matchAll(/^# HELP (\w+) (.+)\n# TYPE \w+ (\w+)$/gm)].map(([, ...row]) => row.join(' '));
    const documented = metricsOf(root).map((one) => `${one.prometheus} ${one.description} ${one.kind}`);
    expect(reported.toSorted()).toEqual(documented.toSorted());
  });

  it('has an alert for every metric, with expressions of existing metrics and labels', () => {
    const alerts = section(page, '### Alerts');
    const metrics = metricsOf(root);
    expect(firstColumn(alerts)).toEqual(unique(metrics.map((one) => one.prometheus)));
    const named = matches(alerts, /\b((?:svc|http)_\w+?)(?:_bucket|_count|_sum)?\b(?=[\s`,)[\]{=!~])/g);
    const labels = metrics.flatMap((one) => one.labels.map((label) => label.replaceAll('.', '_')));
    const checks = firstColumn(section(page, '## Health checks'));
    const known = new Set([...metrics.map((one) => one.prometheus), ...labels, ...checks]);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('has every span and every attribute, and no other', () => {
    const sources = sourcesOf('telemetry/src');
    const spans = matches(sources, /name: '(svc\.\w+)'/g).filter(
      (name) => !metricsOf(root).some((one) => one.name === name),
    );
    expect(spans.length).toBeGreaterThan(5);
    expect(firstColumn(section(page, '## Spans'))).toEqual(spans);
    const attributes = matches(textOf('packages/telemetry/src/attributes.ts'), /: '([\w.]+)',/g);
    expect(attributes.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const documented = matches(section(page, '## Spans'), /`((?:svc|db|messaging|error)\.[\w.]+)`/g);
    expect(documented.filter((name) => !attributes.includes(name) && !spans.includes(name))).toEqual([]);
  });

  it('has every message of the logs, and no other', () => {
    const sources = sourcesOf('http/src', 'fastify/src', 'graphql/src');
    const calls = matches(sources, /\blog(?:\.info|\.error|\[[^\]]+\])\(\s*[^;]*?,\s*['`]([^'`$]+)/g);
    // One line has the reason after it, and those of a field begin with its kind.
    const fields = ['mutation', 'query'].flatMap((what) => [`${what} failed`, `${what} rejected`]);
    const written = unique([...calls.map((text) => text.trimEnd()), ...fields]);
    const [messages, names] = section(page, '## Logs').split('| field ');
    expect(written.length).toBeGreaterThan(10);
    expect(firstColumn(messages!)).toEqual(written);
    expect(firstColumn(names!)).toContain('traceId');
  });

  it('has every health check, and no other', () => {
    const checks = matches(sourcesOf('core/src/health'), /name: '(\w+)'/g);
    const brokers = matches(sourcesOf('rabbitmq/src', 'servicebus/src'), /\bname: '(amqp_broker|cloud_\w+)'/g);
    expect(firstColumn(section(page, '## Health checks'))).toEqual(unique([...checks, ...brokers]));
  });
});
