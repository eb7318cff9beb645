/** Findings about versions that tests do not have. */
import { describe, expect, it } from 'vitest';
import { rolesOf, versionOf } from './databases.js';
import { checkNode } from './node.js';

describe('svc doctor', () => {
  it.each([
    ['20.18.3', 'problem'],
    ['18.20.0', 'problem'],
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
    ['25.0.1', 'warning'],
  ])('judges Node %s: %s', (version, status) => {
    expect(checkNode(version)).toMatchObject([{ check: 'node', status }]);
  });

  it.each([
    [13, 'problem'],
    [14, 'ok'],
    [18, 'ok'],
    [19, 'warning'],
  ])('judges PostgreSQL %s: %s', (major, status) => {
    const report = { version: `${major}.2`, major, role: 'shop', separate: null };
    expect(versionOf('database', 'PostgreSQL at db', report)).toMatchObject({ status });
  });

  it.each([
    ['shop', 'problem'],
    ['shop_owner', 'warning'],
    ['shop_app', 'ok'],
  ])('judges the role %s of a database with two roles: %s', (role, status) => {
    const separate = { owner: 'shop_owner', runtime: 'shop_app' };
    expect(rolesOf('roles', { version: '16.1', major: 16, role, separate })).toMatchObject({ status });
  });
});
