/** Does what the guides say, with the built service and a real shell, and compares what is printed. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { TemporaryProject } from '../generator/temporary-project.js';
import { Guide, withoutChance } from './guide.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe.each(['audit.md', 'security.md', 'observability.md'])('docs/guides/%s', (name) => {
  const guide = new Guide(name);

  it('shows what its commands print, but for ids, times and keys', async () => {
    const { steps } = guide;
    expect(steps.length).toBeGreaterThan(2);
    const service = await guide.start();
    try {
      const printed = service.run(steps);
      expect(printed).toHaveLength(steps.length);
      for (const [i, { commands, answer }] of steps.entries()) {
        const said = { commands, printed: withoutChance(answer ?? '') };
        expect({ commands, printed: withoutChance(printed[i]!) }).toEqual(said);
      }
    } finally {
      await service.stop();
    }
  }, 60_000);

  it('shows code that compiles', () => {
    const sources = guide.blocks.filter(({ language }) => language === 'ts');
    if (sources.length === 0) return;
    const project = new TemporaryProject({}, 'guide-');
    for (const [i, { text }] of sources.entries()) project.write(`src/example-${i}.ts`, text);
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', project.directory, '--noEmit'], { encoding: 'utf8' });
    project.remove();
    expect(stdout).toBe('');
  });

  it('links to what exists', () => {
    const page = readFileSync(join(root, 'docs/guides', name), 'utf8');
    const links = [...page.matchAll(/\]\((?!http|#)([^)#]+)\)/g)].map(([, path]) => path!);
    expect(links.filter((path) => !existsSync(join(root, 'docs/guides', path)))).toEqual([]);
  });
});
