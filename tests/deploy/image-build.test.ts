import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dockerfile } from '@svc/deploy/manifests';
import { afterAll, expect, it } from 'vitest';
import { buildStages } from '../../tools/image/build.mjs';
import { readDockerfile } from '../../tools/image/dockerfile.mjs';

const folder = mkdtempSync(join(tmpdir(), 'svc-image-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['has the .npmrc of the service, if there is one,', ['.npmrc', 'package-lock.json', 'package.json']],
  ['works without an .npmrc', ['package-lock.json', 'package.json']],
])('the build %s when it installs packages', (_, files) => {
  const context = mkdtempSync(join(folder, 'context-'));
  for (const file of files) writeFileSync(join(context, file), '{}');
  const [build] = readDockerfile(dockerfile());
  const install = build!.steps.findIndex(({ text }) => text === 'npm ci');
  expect(install).toBeGreaterThan(0);
  const into = mkdtempSync(join(folder, 'into-'));
  const built = buildStages([{ ...build!, steps: build!.steps.slice(0, install) }], { context, into });
  expect(readdirSync(join(built, 'service')).toSorted()).toEqual(files);
});

it('the image has no .npmrc, which may contain a token', () => {
  const copied = readDockerfile(dockerfile())
    .at(-1)!
    .steps.filter(({ instruction }) => instruction === 'COPY');
  expect(copied.map(({ text }) => text.split(' ').at(-2))).toEqual([
    '/service/package.json',
    '/service/node_modules',
    '/service/dist',
  ]);
});
