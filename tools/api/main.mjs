/** Writes docs/reference/api.md from the sources. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiPage } from './page.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
writeFileSync(join(root, 'docs/reference/api.md'), apiPage(root));
