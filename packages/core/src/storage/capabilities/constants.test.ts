import { expect, it } from 'vitest';
import { indexedAuditTypes } from './audit.js';
import { missedIntervals } from './hosts.js';

it('finds records of these types without reading others', () => {
  expect(indexedAuditTypes).toEqual([
    'svc.AccessDenied',
    'svc.PermissionChanged',
    'svc.ScopeContextEstablished',
    'svc.StreamRewindCompleted',
    'svc.StreamRewindStarted',
  ]);
});

it('counts a host as gone after three intervals without activity', () => {
  expect(missedIntervals).toBe(3);
});
