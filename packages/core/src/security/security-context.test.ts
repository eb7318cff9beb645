import { expect, it } from 'vitest';
import { currentSecurityContext, runAs, runAsHost, type SecurityContext } from './security-context.js';

const as = (userId: string): SecurityContext => ({
  scope: { userId },
  roles: new Set(),
  permissions: new Set(),
  source: 'test',
});

it('applies to everything that was started in it, and to nothing else', async () => {
  const seen = await Promise.all(
    ['a', 'b'].map((user) =>
      runAs(as(user), async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return currentSecurityContext()?.scope.userId;
      }),
    ),
  );
  expect(seen).toEqual(['a', 'b']);
  expect(currentSecurityContext()).toBeNull();
});

it('does not apply to work that runs without a caller', async () => {
  await runAs(as('a'), async () => {
    const later = runAsHost(async () => {
      await Promise.resolve();
      return currentSecurityContext();
    });
    expect(currentSecurityContext()?.scope.userId).toBe('a');
    expect(await later).toBeNull();
  });
});
