/**
 * The Dockerfile's container with examples/orders in it, as far as it goes without building: `npm run check:image` carries out every step
 * of the Dockerfile.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { dockerfile } from '@svc/deploy/manifests';
import { expect, it } from 'vitest';
import { containerOf, readDockerfile } from '../../tools/image/dockerfile.mjs';
import { Guide } from '../guides/guide.js';
import { createDatabase } from '../postgres/test-database.js';
import { freePorts } from './ports.js';
import { waitFor } from './wait-for.js';

const orders = fileURLToPath(new URL('../../examples/orders/', import.meta.url));

it('starts with the entry point and the environment of the image, becomes ready, and ends by SIGTERM', async () => {
  const { entrypoint, environment, user, workdir } = containerOf(readDockerfile(dockerfile()));
  expect({ user, workdir, program: entrypoint[0], script: entrypoint.at(-1) }).toEqual({
    user: { uid: 1000, gid: 1000 },
    workdir: '/service',
    program: 'node',
    script: 'dist/main.js',
  });
  const [port] = await freePorts(1);
  const database = await createDatabase();
  const container = spawn(process.execPath, entrypoint.slice(1), {
    cwd: orders,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...environment, HOST: '127.0.0.1', PORT: String(port), DATABASE_URL: database.url, DRAIN_NOTICE_MS: '10' },
  });
  const ended = once(container, 'exit');
  try {
    const ready = async (): Promise<boolean> => {
      if (container.exitCode !== null) return true;
      return (await fetch(`http://127.0.0.1:${port}/health/ready`)).status === 200;
    };
    await waitFor(ready, 'ready', 30_000);
    container.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    container.kill('SIGKILL');
    await database.remove();
  }
}, 60_000);

it('builds and starts what a service has that was made after the guide', () => {
  const { files } = new Guide('own-service.md');
  const [, script = ''] = /^RUN npm run (\w+)/m.exec(dockerfile()) ?? [];
  const { scripts } = JSON.parse(files['package.json']!) as { scripts: Record<string, string> };
  expect(scripts[script]).toBe('svc generate && tsc -p .');
  const { rootDir, outDir } = (JSON.parse(files['tsconfig.json']!) as { compilerOptions: Record<string, string> })
    .compilerOptions;
  expect(Object.keys(files)).toContain(`${rootDir}/main.ts`);
  expect(containerOf(readDockerfile(dockerfile())).entrypoint.at(-1)).toBe(`${outDir}/main.js`);
});

it('knows what it cannot carry out by hand', () => {
  expect(() => readDockerfile('FROM node\nHEALTHCHECK CMD true')).toThrow('This Dockerfile has HEALTHCHECK');
});
