/** Follows docs/guides/operations.md with the built service and command. */
import { expect, it } from 'vitest';
import { Guide } from './guide.js';

it('shows the output of its commands', async () => {
  const guide = new Guide('operations.md');
  const service = await guide.start();
  try {
    const withoutTime = (text: string | null | undefined) => text?.replaceAll(/in \d+\.\d s/g, 'in <time>');
    const printed = service.run(guide.steps, service.folder);
    expect(guide.steps).toHaveLength(1);
    expect(printed.map(withoutTime)).toEqual(guide.steps.map(({ answer }) => withoutTime(answer)));
  } finally {
    await service.stop();
  }
}, 60_000);
