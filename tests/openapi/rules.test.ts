/** The OpenAPI documents of the examples satisfy the recommended rules of Redocly. */
import { randomBytes } from 'node:crypto';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { authenticationFrom } from '../../examples/orders/src/authentication.js';
import { createHost } from '../../examples/orders/src/host.js';

/** `severity rule: message at place` for each violation. */
async function violations(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source, config });
  return found.map(
    ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} at ${location[0]?.pointer ?? ''}`,
  );
}

it.each([
  ['without authentication', null],
  ['with authentication', authenticationFrom({ AUTH_SECRET: randomBytes(32).toString('hex'), API_KEYS: '[]' })],
])('accept the document of examples/orders %s', async (_name, authentication) => {
  const { app } = await createHost({}, { authentication });
  const { body } = await app.inject('/openapi.json');
  await app.close();
  expect(await violations(body)).toEqual([]);
});

it('reject a document with an error', async () => {
  const document = { openapi: '3.1.0', info: { title: 'API', version: '1' }, paths: { '/a/{id}': { get: {} } } };
  expect(await violations(JSON.stringify(document))).toContainEqual(expect.stringContaining('path-parameters-defined'));
});
