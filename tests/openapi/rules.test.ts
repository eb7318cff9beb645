/** The OpenAPI documents of the examples satisfy the recommended rules of Redocly and Spectral. */
import { randomBytes } from 'node:crypto';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import { authenticationFrom } from '../../examples/orders/src/authentication.js';
import { createHost } from '../../examples/orders/src/host.js';

/** Returns `severity rule: message at place` for each violation. */
type Lint = (source: string) => Promise<string[]>;

async function redocly(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source, config });
  return found.map(
    ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} at ${location[0]?.pointer ?? ''}`,
  );
}

async function spectralOas(source: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [rulesets.oas as spectral.RulesetDefinition] });
  const found = await linter.run(source);
  // OpenAPI 3.1 allows required roles for every kind of scheme. Spectral has the rule of 3.0, which allows them for OAuth only.
  const byVersion = found.filter(({ message }) => !message.endsWith('must be listed among scopes.'));
  return byVersion.map(({ severity, code, message, path }) => `${severity} ${code}: ${message} at ${path.join('/')}`);
}

const linters: readonly (readonly [name: string, lint: Lint, rule: string])[] = [
  ['Redocly', redocly, 'path-parameters-defined'],
  ['Spectral', spectralOas, 'path-params'],
];

describe.each(linters)('the rules of %s', (_name, lint, rule) => {
  it.each([
    ['without authentication', null],
    ['with authentication', authenticationFrom({ AUTH_SECRET: randomBytes(32).toString('hex'), API_KEYS: '[]' })],
  ])('accept the document of examples/orders %s', async (_setup, authentication) => {
    const { app } = await createHost({}, { authentication });
    const { body } = await app.inject('/openapi.json');
    await app.close();
    expect(await lint(body)).toEqual([]);
  });

  it('reject a document with an error', async () => {
    const document = { openapi: '3.1.0', info: { title: 'API', version: '1' }, paths: { '/a/{id}': { get: {} } } };
    expect(await lint(JSON.stringify(document))).toContainEqual(expect.stringContaining(rule));
  });
});
