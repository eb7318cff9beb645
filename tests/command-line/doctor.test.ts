import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { TemporaryProject } from '../generator/temporary-project.js';
import { createDatabase } from '../postgres/test-database.js';
import { createTwoRoles, separate } from '../postgres/two-roles.js';
import { brokerUserUrl } from '../rabbitmq/test-broker.js';
import { svc } from './svc.js';

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly detail: string;
  readonly fix: string | null;
}

const command = `
import { commandEndpoint, type Command } from '@svc/core';

@commandEndpoint<Buy, void>({ restRoute: '/buy' })
export class Buy implements Command {
  what!: string;
}
`;
const lowering = "import { decorators } from '@svc/generator/vite';\nexport default { plugins: [decorators()] };\n";

/** A service with generated code whose tests can run. */
async function project(files: Readonly<Record<string, string>> = {}): Promise<TemporaryProject> {
  const created = new TemporaryProject({ 'src/buy.ts': command, 'vitest.config.ts': lowering, ...files });
  onTestFinished(() => created.remove());
  await svc(['generate', '--project', created.directory]);
  return created;
}

/** A folder with no code in its sources, for checks that need none. */
function emptyProject(files: Readonly<Record<string, string>> = {}): TemporaryProject {
  const created = new TemporaryProject({ 'src/.gitkeep': '', ...files });
  onTestFinished(() => created.remove());
  return created;
}

async function doctor(folder: string, ...args: string[]): Promise<{ code: number; findings: readonly Finding[] }> {
  const { code, out } = await svc(['doctor', '--json', '--project', folder, ...args]);
  const { isHealthy, findings } = JSON.parse(out) as { isHealthy: boolean; findings: readonly Finding[] };
  expect(isHealthy).toBe(code === 0);
  for (const { status, fix } of findings) expect(fix === null).toBe(status === 'ok' || status === 'skipped');
  return { code, findings };
}

const finding = (findings: readonly Finding[], check: string): Finding | undefined =>
  findings.find((one) => one.check === check);
const tsconfig = (options: object): string =>
  JSON.stringify({ extends: '../../tsconfig.base.json', compilerOptions: options, include: ['src'] });

describe('svc doctor', () => {
  it('finds no problem in a healthy service', async () => {
    const { directory } = await project();
    const { code, out } = await svc(['doctor', '--project', directory]);
    expect(out.split('\n').filter((line) => !/^(?:ok|skipped) /.test(line))).toEqual(['', 'No problems.']);
    expect(code).toBe(0);
    for (const check of [
      'node',
      'versions',
      'copies of @svc/core',
      'typescript',
      'tsconfig',
      'generated code',
      'tests',
    ])
      expect(out).toMatch(new RegExp(`^ok +${check}: \\S`, 'm'));
  });

  it('prints a line with the fix for each finding', async () => {
    const { directory } = await project({ 'tsconfig.json': tsconfig({ target: 'esnext' }) });
    const { code, out } = await svc(['doctor', '--project', directory]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^problem {2}tsconfig target: "target": "esnext" leaves decorators .*\n {9}fix: Set "target" to "es2022"\.$/m,
    );
    // The generator reports it, too.
    expect(out).toMatch(/^problem {2}generated code: .*SVC1406/m);
    expect(out).toMatch(/\n\n2 problems, 0 warnings\.$/);
  });

  it.each([
    [{ target: 'esnext' }, 'tsconfig target', 'problem'],
    [{ noEmitHelpers: true }, 'tsconfig noEmitHelpers', 'problem'],
    [{ target: 'esnext', useDefineForClassFields: false }, 'tsconfig', 'ok'],
    [{ module: 'commonjs', moduleResolution: 'bundler' }, 'tsconfig module', 'problem'],
    [{ experimentalDecorators: true }, 'tsconfig decorators', 'warning'],
    [{ strict: false }, 'tsconfig strict', 'warning'],
    [{ target: 'es2024', module: 'esnext', moduleResolution: 'bundler' }, 'tsconfig', 'ok'],
  ])('judges the compiler settings %j: %s, %s', async (options, check, status) => {
    const { directory } = emptyProject({ 'tsconfig.json': tsconfig(options) });
    expect(finding((await doctor(directory)).findings, check)).toMatchObject({ status });
  });

  it('reads the settings that a tsconfig extends', async () => {
    const { directory } = emptyProject({
      'tsconfig.json': JSON.stringify({ extends: './base.json', include: ['src'] }),
      'base.json': tsconfig({ target: 'ESNext' }),
    });
    expect(finding((await doctor(directory)).findings, 'tsconfig target')).toMatchObject({ status: 'problem' });
  });

  it('reports that the test runner leaves decorators in the code', async () => {
    const { directory } = await project({ 'vitest.config.ts': 'export default {};\n' });
    const { code, findings } = await doctor(directory);
    expect(code).toBe(1);
    expect(finding(findings, 'tests')).toMatchObject({
      status: 'problem',
      detail: expect.stringMatching(/^vitest \S+ with vite 7\S+ cannot run src\/buy\.ts: /) as string,
      fix: expect.stringContaining("import { decorators } from '@svc/generator/vite'") as string,
    });
  });

  it.each([
    ['@svc/core', 'dependencies'],
    ['fastify', 'devDependencies'],
  ])('reports a second copy of %s', async (name, part) => {
    const { directory } = emptyProject({
      'package.json': JSON.stringify({ name: '@test/shop', type: 'module', [part]: { [name]: '*' } }),
      [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '0.0.9' }),
    });
    const { code, findings } = await doctor(directory);
    expect(code).toBe(1);
    expect(finding(findings, `copies of ${name}`)).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining(`0.0.9 in ${directory}`) as string,
      fix: expect.stringContaining('npm dedupe') as string,
    });
  });

  it('does not report a copy that the service does not use', async () => {
    const { directory } = emptyProject({
      'node_modules/graphql/package.json': JSON.stringify({ name: 'graphql', version: '0.0.9' }),
    });
    expect(finding((await doctor(directory)).findings, 'copies of graphql')).toMatchObject({ status: 'ok' });
  });

  it('reports packages of svc with different versions', async () => {
    const { directory } = emptyProject({
      'node_modules/@svc/core/package.json': JSON.stringify({ name: '@svc/core', version: '0.0.9' }),
    });
    expect(finding((await doctor(directory)).findings, 'versions')).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('@svc/core is 0.0.9, but there is ') as string,
      fix: expect.stringContaining('@0.0.9') as string,
    });
  });

  it('reports generated code that is not up to date, and code that has errors', async () => {
    const stale = await project();
    stale.write('src/buy.ts', command.replace('what!: string', 'whom!: string'));
    expect(finding((await doctor(stale.directory)).findings, 'generated code')).toMatchObject({
      status: 'problem',
      fix: 'Run svc generate.',
    });
    stale.write('src/buy.ts', command.replace('string', 'any'));
    expect(finding((await doctor(stale.directory)).findings, 'generated code')).toMatchObject({
      detail: expect.stringContaining('src/buy.ts:6:') as string,
      fix: expect.stringContaining('svc explain SVC1001') as string,
    });
  });

  it('reports packages that are not installed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'package.json'), '{ "name": "shop" }');
    const { code, findings } = await doctor(folder, '--broker', 'amqp://localhost');
    expect(code).toBe(1);
    expect(finding(findings, 'packages')).toMatchObject({
      fix: expect.stringContaining('npm install @svc/core') as string,
    });
    expect(finding(findings, 'tsconfig')).toMatchObject({ status: 'problem' });
    expect(finding(findings, 'typescript')).toMatchObject({ status: 'warning' });
    expect(finding(findings, 'tests')).toMatchObject({ status: 'skipped' });
    expect(finding(findings, 'broker')).toMatchObject({ fix: expect.stringContaining('@svc/rabbitmq') as string });
  });

  it('rejects a folder that is not a service', async () => {
    const { code, error } = await svc(['doctor', '--project', tmpdir()]);
    expect([code, error]).toEqual([2, expect.stringContaining('has no package.json')]);
  });
});

describe('svc doctor with a database', () => {
  it('reports pending migrations until they are applied', async () => {
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    const { directory } = emptyProject();
    const before = await doctor(directory, '--database', database.url);
    expect(finding(before.findings, 'database')).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/^PostgreSQL at .*, version \d+\.\d+$/) as string,
    });
    expect(finding(before.findings, 'database migrations')).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('svc migrate up') as string,
    });
    await svc(['migrate', 'up', '--database', database.url]);
    const { findings } = await doctor(directory, '--database', database.url);
    expect(finding(findings, 'database migrations')).toMatchObject({ status: 'ok' });
    expect(finding(findings, 'database roles')).toMatchObject({ status: 'ok' });
  });

  it('knows the owner and the runtime role', async () => {
    const database = await createTwoRoles();
    onTestFinished(() => database.remove());
    await separate(database);
    const { directory } = emptyProject();
    const owner = await doctor(directory, '--database', database.owner.url);
    expect(finding(owner.findings, 'database roles')).toMatchObject({ status: 'warning' });
    const runtime = await doctor(directory, '--database', database.url);
    expect(finding(runtime.findings, 'database roles')).toMatchObject({ status: 'ok' });
  });

  it('reports a server that it cannot reach, without the password', async () => {
    const { directory } = emptyProject();
    const where = 'postgres://ann:hunter2@127.0.0.1:1/orders';
    const { code, out } = await svc(['doctor', '--json', '--project', directory, '--database', where]);
    expect(code).toBe(1);
    expect(out).toContain('The database cannot be reached.');
    expect(out).not.toContain('hunter2');
  });
});

describe('svc doctor with a broker', () => {
  it('logs in, and reports a wrong password and a wrong port without credentials', async () => {
    const { directory } = emptyProject();
    const url = new URL(await brokerUserUrl('doctor'));
    const broker = async (changed: URL) => {
      const { findings } = await doctor(directory, '--broker', changed.href);
      return finding(findings, 'broker');
    };
    // A broker that has just started can take longer than the limit on a busy machine.
    await expect
      .poll(() => broker(url), { timeout: 100_000 })
      .toMatchObject({ status: 'ok', detail: expect.stringMatching(/^RabbitMQ \d+\.\d+\S* at \S+$/) as string });
    const wrong = new URL(url);
    wrong.password = 'hunter2';
    const denied = await broker(wrong);
    expect(denied).toMatchObject({ status: 'problem', detail: expect.stringContaining('denies access') as string });
    const elsewhere = new URL(wrong);
    elsewhere.port = '1';
    const unreachable = await broker(elsewhere);
    expect(unreachable).toMatchObject({ status: 'problem', detail: expect.stringContaining('unreachable') as string });
    expect(JSON.stringify([denied, unreachable])).not.toContain('hunter2');
  }, 120_000);

  it('names both variables that can have the address of the broker', async () => {
    vi.stubEnv('RABBITMQ_URL', undefined);
    vi.stubEnv('AMQP_URL', undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { directory } = emptyProject();
    const { findings } = await doctor(directory);
    expect(finding(findings, 'broker')).toMatchObject({
      status: 'skipped',
      detail: 'none is configured (RABBITMQ_URL, AMQP_URL or --broker)',
    });
    writeFileSync(join(directory, '.env'), 'AMQP_URL=amqp://ann:hunter2@mq.example\n');
    const found = finding((await doctor(directory)).findings, 'broker');
    expect(found).toMatchObject({
      status: 'problem',
      fix: expect.stringContaining('RABBITMQ_URL or AMQP_URL') as string,
    });
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  it('does not send a password to a remote broker without TLS', async () => {
    const { directory } = emptyProject();
    const { findings } = await doctor(directory, '--broker', 'amqp://ann:hunter2@mq.example');
    expect(finding(findings, 'broker')).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('amqps://') as string,
    });
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });
});
