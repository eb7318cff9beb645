/** Does what docs/guides/operations.md says, with the built service and command. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Guide } from '../guides/guide.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('shows what its commands print', async () => {
  const guide = new Guide('operations.md');
  const svc = `node ${join(root, 'packages/cli/bin/svc.js')}`;
  const steps = guide.steps.map(({ commands, answer }) => ({ commands: commands.replaceAll(/^svc/gm, svc), answer }));
  const service = await guide.start();
  try {
    const withoutTime = (text: string | null | undefined) => text?.replaceAll(/in \d+\.\d s/g, 'in <time>');
    const printed = service.run(steps, service.folder);
    expect(steps).toHaveLength(1);
    expect(printed.map(withoutTime)).toEqual(steps.map(({ answer }) => withoutTime(answer)));
  } finally {
    await service.stop();
  }
}, 60_000);

it('links to what exists', () => {
  const page = readFileSync(join(root, 'docs/guides/operations.md'), 'utf8');
  const links = [...page.matchAll(/\]\((?!http|#)([^)#]+)/g)].map(([, path]) => path!);
  expect(links.length).toBeGreaterThan(2);
  expect(links.filter((path) => !existsSync(join(root, 'docs/guides', path)))).toEqual([]);
});
