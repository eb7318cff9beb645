/** The tests of `npm run interop`: those of the rows, including those that are not part of `npm test`. */
import { mergeConfig } from 'vitest/config';
import { rows } from '../../tools/interop/rows.mjs';
import base from '../../vitest.config.js';

base.test!.include = [...new Set(rows.flatMap(({ files }) => files))];
export default mergeConfig(base, {});
