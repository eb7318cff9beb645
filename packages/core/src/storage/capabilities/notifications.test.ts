import { expect, it, vi } from 'vitest';
import { notificationsOf, type StorageNotifications } from './notifications.js';

it('returns the notifications of a storage that hosts share', () => {
  const notifications: StorageNotifications = { onOutgoing: () => {}, wakeHolders: () => {} };
  expect(notificationsOf({ notifications })).toBe(notifications);
});

it('wakes no other host of a storage that has only one', () => {
  const own = notificationsOf({});
  const listener = vi.fn<() => void>();
  own.onOutgoing(listener);
  own.wakeHolders('');
  expect(listener).not.toHaveBeenCalled();
});
