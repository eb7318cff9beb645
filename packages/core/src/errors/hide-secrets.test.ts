import { describe, expect, it } from 'vitest';
import { hideSecrets } from './hide-secrets.js';
import { ServiceError } from './service-error.js';
import { ValidationError } from './validation-error.js';

const secret = 'tok 1/"ä"';
const forms = [
  secret,
  JSON.stringify(secret),
  encodeURIComponent(secret),
  encodeURIComponent(secret).replaceAll('%20', '+'),
];

describe('hideSecrets', () => {
  it.each(forms)('removes a secret in the form %s from message and stack', (form) => {
    const error = new Error(`charge of ${form} failed`);
    expect(hideSecrets(error, [secret])).toBe(error);
    expect(error.message).toMatch(/^charge of "?\[secret\]"? failed$/);
    expect(error.stack).not.toContain(form);
  });

  it('removes secrets from causes, from the errors of an AggregateError and from issues', () => {
    const issues = new ValidationError([{ pointer: `/${secret}`, detail: `is ${secret}` }]);
    const error = new Error('failed', { cause: new AggregateError([issues], `about ${secret}`, { cause: secret }) });
    hideSecrets(error, [secret]);
    const cause = error.cause as AggregateError;
    expect([cause.message, cause.cause, issues.message]).toEqual([
      'about [secret]',
      '[secret]',
      'The message is not valid: /[secret] is [secret].',
    ]);
    expect(issues.issues).toEqual([{ pointer: '/[secret]', detail: 'is [secret]' }]);
  });

  it('removes the longer of two secrets that start alike, and every occurrence', () => {
    const error = new Error('ab abc ab');
    hideSecrets(error, ['ab', 'abc', '']);
    expect(error.message).toBe('[secret] [secret] [secret]');
  });

  it('replaces an error that cannot be changed, with its name and code', () => {
    const frozen = Object.freeze(new ServiceError('SVC_NOT_FOUND', `no ${secret}`));
    const shown = hideSecrets(frozen, [secret]) as ServiceError;
    expect(shown).toMatchObject({ name: frozen.name, code: 'SVC_NOT_FOUND', message: 'no [secret]' });
    expect(shown.stack).not.toContain(secret);
  });

  it('removes a secret from a message that the class computes', () => {
    class Computed extends Error {
      override get message(): string {
        return `no ${secret}`;
      }
    }
    expect(hideSecrets(new Computed(), [secret])).toMatchObject({ message: 'no [secret]' });
  });

  it('ends for errors that contain each other, and leaves other values unchanged', () => {
    const error = new Error(secret);
    error.cause = new Error(secret, { cause: error });
    hideSecrets(error, [secret]);
    expect([error.message, (error.cause as Error).message]).toEqual(['[secret]', '[secret]']);
    expect(hideSecrets(secret, [secret])).toBe('[secret]');
    expect(hideSecrets(7, [secret])).toBe(7);
    expect(hideSecrets(error, [])).toBe(error);
  });
});
