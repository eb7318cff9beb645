/** A validator as ajv recommends it for production: compiled to a file and loaded from there. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import standaloneCode from 'ajv/dist/standalone/index.js';

const require = createRequire(import.meta.url);
// Below bench/, so that the generated file resolves its packages.
const folder = fileURLToPath(new URL('../.cache/reader/', import.meta.url));

/**
 * @param {object} schema
 * @param {{ allErrors: boolean }} options
 * @returns {(value: unknown) => boolean}
 */
export function standaloneValidator(schema, { allErrors }) {
  const ajv = new Ajv({ allErrors, code: { source: true } });
  addFormats.default(ajv);
  const code = standaloneCode.default(ajv, ajv.compile(schema));
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const file = `${folder}${hash}.cjs`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, code);
  return require(file);
}
