/** Follows docs/guides/trust.md with the built service and command. */
import { existsSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Guide, Running, runInShell } from './guide.js';

const program = fileURLToPath(new URL('../../../examples/orders/dist/main.js', import.meta.url));

it('seals, verifies, proves and exports as the page says', async () => {
  const guide = new Guide('trust.md');
  const folder = mkdtempSync(join(tmpdir(), 'svc-guide-'));
  const [key, ...steps] = guide.steps;
  expect(runInShell(key!.commands, folder).trim()).toBe(key!.answer);
  const service = await Running.start([program], folder, {
    SEAL_KEY_FILES: 'seal.pem',
    SEAL_ANCHOR_FILE: 'anchor.jsonl',
  });
  try {
    const printed = service.run(steps, folder);
    expect(printed).toEqual(steps.map(({ answer }) => answer ?? ''));
    expect(steps.length).toBeGreaterThanOrEqual(4);
  } finally {
    await service.end();
    rmSync(folder, { recursive: true });
  }
  expect(existsSync(folder)).toBe(false);
}, 60_000);
