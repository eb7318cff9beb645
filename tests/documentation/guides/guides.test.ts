/** Does what the guides say, with the built service and a real shell, and compares what is printed. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { TemporaryProject } from '../../generator/temporary-project.js';
import { Guide, withoutChance } from './guide.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const guides = ['audit.md', 'console.md', 'security.md', 'tenants.md', 'observability.md'];

describe.each(guides)('docs/guides/%s', (name) => {
  it('shows what its commands print, but for ids, times and keys', async () => {
    const guide = new Guide(name);
    const { steps } = guide;
    expect(steps.length).toBeGreaterThan(2);
    const service = await guide.start();
    // The shell is in the root, where the commands of npm are.
    vi.stubEnv('DATABASE_URL', join(service.folder, '.svc/orders.db'));
    try {
      const printed = service.run(steps);
      expect(printed).toHaveLength(steps.length);
      for (const [i, { commands, answer }] of steps.entries()) {
        const shown = { commands, printed: withoutChance(answer ?? '') };
        expect({ commands, printed: withoutChance(printed[i]!) }).toEqual(shown);
      }
    } finally {
      vi.unstubAllEnvs();
      await service.stop();
    }
  }, 60_000);
});

it('they show code that compiles under the strictest flags', () => {
  const project = new TemporaryProject({}, 'guides-');
  for (const name of [...guides, 'event-versions.md', 'migrations.md', 'deployment.md']) {
    const { blocks, files } = new Guide(name);
    const known = new Set(Object.values(files).map((text) => text.trim()));
    const sources = blocks.filter(
      // In the guide to deployments, what imports nothing is a part of something else.
      ({ language, text }) =>
        language === 'ts' && !known.has(text) && (name !== 'deployment.md' || text.startsWith('import ')),
    );
    expect(sources.length).toBeGreaterThan(0);
    for (const [i, { text }] of sources.entries()) project.write(`src/${name}-${i}.ts`, text);
  }
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', project.directory, '--noEmit'], { encoding: 'utf8' });
  project.remove();
  expect(stdout).toBe('');
});
