import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reportToConsole } from './report-to-console.js';
import { ServiceError } from './service-error.js';

const written = vi.spyOn(console, 'error');
beforeEach(() => void written.mockImplementation(() => {}));
afterEach(() => void written.mockReset());

it('writes code, name, message and stack of an error, and no other property', () => {
  const config = { headers: { Authorization: 'Bearer hunter2' } };
  const cause = Object.assign(new TypeError('postgres://svc:hunter2@db failed'), { config, detail: 'Key (hunter2)' });
  const error = new ServiceError('SVC_STORAGE_UNAVAILABLE', 'away, password=hunter2', { cause });
  reportToConsole(Object.assign(error, { config }));
  expect(written).toHaveBeenCalledOnce();
  const [text, ...more] = written.mock.calls[0]!;
  expect(more).toEqual([]);
  expect(text).toMatch(/^SVC_STORAGE_UNAVAILABLE ServiceError: away, password=\*\*\*\n +at /);
  expect(text).toContain('caused by: TypeError: postgres://***@db failed');
  expect(text).not.toContain('hunter2');
});

it('writes nothing of a value that is not an error', () => {
  reportToConsole({ password: 'hunter2' });
  expect(written.mock.calls).toEqual([['object: Something that is not an error was thrown.']]);
});
