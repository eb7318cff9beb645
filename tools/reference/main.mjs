/** Writes the generated regions of the pages of the reference. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { referencePages, regenerated } from './pages.mjs';
import { recordedRuns } from './reliability.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
for (const page of referencePages) writeFileSync(join(root, page), regenerated(root, page));
// A run of `npm run torture -- … --record` writes its record as it comes.
const formatter = [join(root, 'node_modules/oxfmt/bin/oxfmt'), ...referencePages, recordedRuns];
const { status } = spawnSync(process.execPath, formatter, { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
