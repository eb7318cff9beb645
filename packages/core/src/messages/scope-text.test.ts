import { expect, it } from 'vitest';
import { scopeOfText, scopeText } from './scope-text.js';

it('reads the same text as the same scope, which nobody can change', () => {
  const scope = scopeOfText('{"tenantId":"a","userId":null}');
  expect(scope).toEqual({ tenantId: 'a', userId: null });
  expect(scopeOfText('{"tenantId":"a","userId":null}')).toBe(scope);
  expect(() => ((scope as Record<string, unknown>)['tenantId'] = 'b')).toThrow(TypeError);
});

it('writes a scope as JSON, whether it was read or made here', () => {
  expect(scopeText(scopeOfText('{"tenantId":"a"}'))).toBe('{"tenantId":"a"}');
  expect(scopeText({ tenantId: 'made here' })).toBe('{"tenantId":"made here"}');
});

it('does not pass on blanks or a name that stands there twice: who reads the text elsewhere might take the other value', () => {
  expect(scopeText(scopeOfText('{ "tenantId": "a", "tenantId": "b" }'))).toBe('{"tenantId":"b"}');
});

it('remembers a thousand texts and none that is long', () => {
  const first = scopeOfText('{"tenantId":"0"}');
  const long = `{"tenantId":"${'x'.repeat(1_000)}"}`;
  expect(scopeOfText(long)).not.toBe(scopeOfText(long));
  for (let i = 1; i <= 1_000; i++) scopeOfText(`{"tenantId":"${i}"}`);
  expect(scopeOfText('{"tenantId":"0"}')).not.toBe(first);
  expect(scopeText(first)).toBe('{"tenantId":"0"}');
});

it.each(['5', 'null', '"a"', '[]'])('reads %s as what it is, for others to refuse', (text) => {
  expect(scopeOfText(text)).toEqual(JSON.parse(text));
});

it('throws when the text is no JSON', () => {
  expect(() => scopeOfText('{')).toThrow(SyntaxError);
});
