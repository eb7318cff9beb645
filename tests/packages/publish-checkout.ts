import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { removeStaleOutputs } from '../../tools/build/stale-outputs.mjs';
import { publishedPackages } from '../../tools/release/packages.mjs';
import { npm, root } from './outside-commands.js';

/** Publishes all packages as they were built, by one npm: starting it for each would take twice as long. */
export async function publishCheckout({ url, npmrc }: { readonly url: string; readonly npmrc: string }): Promise<void> {
  const missing = publishedPackages(root).flatMap(({ folder, manifest }) =>
    Object.values(manifest.exports ?? {})
      .map((target) => join(folder, target['default']!))
      .filter((file) => !existsSync(file)),
  );
  if (missing.length > 0) throw new Error(`${missing[0]} does not exist. Run "npm run build" first.`);
  removeStaleOutputs(root);
  await npm(['publish', '--workspaces', '--ignore-scripts', '--registry', url], { cwd: root, npmrc });
}
