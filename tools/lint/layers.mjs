/**
 * The import rules of docs/architecture.md. Folders of `core` are ordered: each imports only those above it.
 * Packages list the entry points of svc packages they may import, and modules that only some files of a package may import.
 */
export const coreFolders = [
  'errors',
  'json',
  'messages',
  'security',
  'background',
  'storage',
  'personal',
  'deciders',
  'dispatch',
  'processes',
  'endpoints',
  'system-events',
  'access',
  'audit',
  'transport',
  'schedule',
  'perspectives',
  'reactions',
  'seals',
  'migrations',
  'health',
  'operations',
  'administration',
  'generated',
  'hosting',
  'testing',
  'entry',
];

export const packages = {
  // node:crypto: hashes and message signatures, which must not be hand-written. They are not input or output.
  core: {
    packages: [],
    external: ['node:async_hooks', 'node:crypto', 'node:diagnostics_channel'],
    // Archives, anchors and the module of a thread are the parts of core that have files.
    reserved: {
      croner: 'src/schedule/cron.ts',
      'node:worker_threads': ['src/seals/thread/digesting-worker.ts', 'src/seals/thread/serve-digests.ts'],
      'node:fs': 'src/seals/thread/digesting-worker.ts',
      'node:fs/promises': ['src/storage/archive/folder-archive.ts', 'src/seals/anchor-file.ts'],
      'node:path': 'src/storage/archive/folder-archive.ts',
      'node:zlib': 'src/storage/archive/archive-file.ts',
    },
  },
  generator: {
    packages: [],
    external: ['node:'],
    reserved: {
      typescript: 'src/analysis/compiler.ts',
      croner: 'src/analysis/recurrence.ts',
      graphql: ['src/documents/graphql-js.ts', 'src/graphql/schema-builder.test.ts'],
    },
  },
  http: {
    packages: ['core', 'core/json', 'core/hosting', 'core/storage', 'core/transport'],
    external: ['node:', 'jose'],
    reserved: { 'find-my-way': 'src/host-api.ts', '#api-page': 'src/docs/api-page.ts' },
  },
  fastify: {
    packages: ['core', 'core/json', 'core/hosting', 'core/storage', 'http', 'http/hosting'],
    external: ['node:', 'fastify'],
  },
  postgres: { packages: ['core', 'core/storage'], external: ['node:', 'pg'] },
  sqlite: { packages: ['core', 'core/storage'], external: ['node:'] },
  rabbitmq: { packages: ['core', 'core/transport'], external: ['node:', 'amqplib'] },
  servicebus: { packages: ['core', 'core/transport'], external: ['node:', '@azure/service-bus'] },
  graphql: {
    packages: ['core', 'core/json', 'core/hosting', 'http', 'http/hosting'],
    external: ['node:', 'graphql'],
    reserved: { 'graphql-jit': 'src/execution.ts', '#explorer': 'src/explorer/index.ts' },
  },
  console: {
    packages: ['core', 'core/hosting', 'core/storage', 'http', 'http/hosting', 'fastify'],
    external: ['node:', 'typebox', 'fastify'],
    reserved: { '#console': 'src/page.ts' },
  },
  flags: { packages: ['core'], external: ['node:', '@openfeature/server-sdk'] },
  telemetry: {
    packages: ['core', 'core/hosting', 'core/storage', 'core/transport'],
    external: ['@opentelemetry/api'],
    reserved: { 'prom-client': 'src/metrics/prometheus.ts' },
  },
  deploy: {
    packages: [],
    external: ['node:', 'yaml', '@kubernetes/client-node', 'kubernetes-models', '@kubernetes-models/gateway-api'],
  },
  create: { packages: [], external: ['node:'] },
  cli: {
    packages: [
      'core',
      'core/hosting',
      'core/storage',
      'create',
      'deploy',
      'deploy/manifests',
      'generator',
      'postgres',
      'sqlite',
    ],
    external: ['node:'],
  },
};

/** Why `file` (relative to the repository's root) may not import `specifier`; null if it may. */
export function violation(file, specifier) {
  const [, name, inside] = /^packages\/([^/]+)\/(src\/.*)$/.exec(file) ?? [];
  if (name === undefined) return outsideViolation(specifier);
  const rules = packages[name];
  if (rules === undefined) return `packages/${name} has no import rules; add it to tools/lint/layers.mjs`;
  const isTest = inside.endsWith('.test.ts') || inside.includes('/testing/');
  if (specifier.startsWith('.')) return relativeViolation(name, inside, specifier, isTest);
  if (specifier.startsWith('@svc/')) return ownPackageViolation(name, rules, specifier, isTest);
  // Tests use Node as they need it; packages that are reserved for some files are reserved in tests too.
  if (isTest && specifier.startsWith('node:')) return null;
  const only = rules.reserved?.[specifier];
  if (only !== undefined)
    return [only].flat().includes(inside) ? null : `only ${[only].flat().join(', ')} imports ${specifier}`;
  if (
    isTest ||
    rules.external.some(
      (allowed) => specifier === allowed || specifier.startsWith(allowed.endsWith(':') ? allowed : `${allowed}/`),
    )
  )
    return null;
  return `${name} must not import ${specifier}`;
}

function outsideViolation(specifier) {
  if (/^(?:\.\.\/)+packages\//.test(specifier)) return 'import a package by its name, not by its files';
  return /^@svc\/[^/]+\/(?:src|dist)\b/.test(specifier) ? 'import only the entry points of another package' : null;
}

function ownPackageViolation(name, rules, specifier, isTest) {
  const entryPoint = specifier.slice('@svc/'.length);
  const [target, subpath] = entryPoint.split('/');
  if (target === name) return 'inside a package, import by relative path';
  if (subpath === 'src' || subpath === 'dist') return 'import only the entry points of another package';
  if (
    isTest ? rules.packages.some((allowed) => allowed.split('/')[0] === target) : rules.packages.includes(entryPoint)
  ) {
    return null;
  }
  return `${name} must not import ${entryPoint}`;
}

function relativeViolation(name, inside, specifier, isTest) {
  const target = resolve(inside, specifier);
  if (!target.startsWith('src/')) return 'a package imports files of its own src only; others by their name';
  // `src/testing` of core is an entry point of its own.
  if (!isTest && target.includes('/testing/') && !(name === 'core' && target.startsWith('src/testing/')))
    return 'only tests import the files of a folder named testing';
  if (name !== 'core') return null;
  const from = folderOf(inside);
  const to = folderOf(target);
  if (from === to || from === null) return null;
  const order = [coreFolders.indexOf(from), coreFolders.indexOf(to)];
  if (order.includes(-1))
    return `the folder ${order[0] === -1 ? from : to} is missing in coreFolders (tools/lint/layers.mjs)`;
  // A test may import the generated code of its folder.
  if (to === 'generated' && inside.endsWith('.test.ts')) return null;
  if (order[1] > order[0]) return `${from} comes before ${to} and must not import it`;
  return target === `src/${to}/index.js` || to === 'generated' ? null : `import ${to} through its index`;
}

function folderOf(path) {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? null;
}

function resolve(from, specifier) {
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
