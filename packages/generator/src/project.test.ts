import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadProject } from './project.js';

const folder = mkdtempSync(join(tmpdir(), 'svc-project-'));
mkdirSync(join(folder, 'src'));
afterAll(() => rmSync(folder, { recursive: true }));

function load(manifest: object): ReturnType<typeof loadProject> {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return loadProject(folder);
}

describe('loadProject', () => {
  it('reads the settings of package.json', () => {
    expect(load({ name: '@acme/other', svc: { namespace: 'library', client: 'api', documents: ['src'] } })).toEqual({
      directory: folder,
      namespace: 'library',
      sourceRoot: join(folder, 'src'),
      tsconfig: join(folder, 'tsconfig.json'),
      client: join(folder, 'api/library-client.ts'),
      documents: { folders: [join(folder, 'src')], file: join(folder, 'api/library-documents.ts') },
    });
    expect(load({ name: '@acme/other' })).toMatchObject({ namespace: 'other', client: null, documents: null });
    expect(load({})).toMatchObject({ namespace: 'service' });
  });

  it.each<[name: string, svc: unknown, message: string]>([
    ['a misspelled setting', { namspace: 'library' }, 'no setting "namspace". Did you mean "namespace"?'],
    ['a setting in upper case', { Source: 'src' }, 'no setting "Source". Did you mean "source"?'],
    [
      'an unknown setting',
      { port: 80 },
      'no setting "port". Remove it, or use namespace, source, tsconfig, client, documents.',
    ],
    ['a text instead of settings', 'library', '"svc" in package.json is "library", not an object.'],
    ['a list instead of settings', ['library'], '"svc" in package.json is ["library"], not an object.'],
    ['null instead of settings', null, '"svc" in package.json is null, not an object.'],
    ['a number as namespace', { namespace: 5 }, '"namespace": … } must be a string that is not empty, not 5.'],
    ['an empty folder name', { source: '' }, '"source": … } must be a string that is not empty, not "".'],
    ['documents of another type', { documents: ['src', 5] }, 'must be a string or a list of strings'],
    ['the namespace of svc', { namespace: 'svc' }, 'The namespace "svc" is reserved for the messages of svc.'],
    ['a namespace below that of svc', { namespace: 'svc.orders' }, 'The namespace "svc.orders" is reserved'],
    [
      'sources that do not exist',
      { source: 'lib' },
      `The folder ${join(folder, 'lib')} of the sources does not exist.`,
    ],
  ])('SVC1402: %s', (_name, svc, message) => {
    expect(load({ name: '@acme/other', svc })).toMatchObject({
      code: 'SVC1402',
      file: 'package.json',
      message: expect.stringContaining(message) as string,
    });
  });

  it('SVC1402: reports all invalid settings together', () => {
    const found = load({ name: 'other', svc: { namspace: 'library', source: 5 } });
    expect('message' in found && found.message).toMatch(/"namspace".*"source"/);
  });

  it('SVC1402: a package that is called svc needs a namespace', () => {
    expect(load({ name: 'svc' })).toMatchObject({ code: 'SVC1402' });
    expect(load({ name: 'svc', svc: { namespace: 'shop' } })).toMatchObject({ namespace: 'shop' });
  });
});
