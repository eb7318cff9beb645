import { expect, it } from 'vitest';
import { scheduleKeyText, tenantOfCommand } from './scheduled-record.js';

it('runs a scheduled command for the tenant of its scope', () => {
  expect(tenantOfCommand({ scope: { tenantId: 'a', userId: 'u' } })).toBe('a');
  expect(tenantOfCommand({ scope: { tenantId: null } })).toBe('');
  expect(tenantOfCommand({ scope: { userId: 'u' } })).toBe('');
  expect(tenantOfCommand({ scope: null })).toBe('');
});

it('distinguishes equal keys of different tenants, whatever characters they contain', () => {
  const keys = [
    { tenant: 'a', key: 'b' },
    { tenant: 'b', key: 'a' },
    { tenant: '', key: 'ab' },
    { tenant: 'ab', key: '' },
    { tenant: 'a","b', key: '' },
    { tenant: 'a', key: 'b","' },
  ];
  expect(new Set(keys.map(scheduleKeyText)).size).toBe(keys.length);
  expect(scheduleKeyText({ key: 'b', tenant: 'a' })).toBe(scheduleKeyText(keys[0]!));
});
