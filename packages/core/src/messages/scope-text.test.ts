import { expect, it } from 'vitest';
import { scopeOfText, scopeText } from './scope-text.js';

it('reads the same text as the same frozen scope', () => {
  const scope = scopeOfText('{"tenantId":"a","userId":null}');
  expect(scope).toEqual({ tenantId: 'a', userId: null });
  expect(scopeOfText('{"tenantId":"a","userId":null}')).toBe(scope);
  expect(() => ((scope as Record<string, unknown>)['tenantId'] = 'b')).toThrow(TypeError);
});

it('writes a scope as JSON, whether it was parsed or created here', () => {
  expect(scopeText(scopeOfText('{"tenantId":"a"}'))).toBe('{"tenantId":"a"}');
  expect(scopeText({ tenantId: 'made here' })).toBe('{"tenantId":"made here"}');
});

it('drops whitespace and repeated names, of which other programs might read another value', () => {
  expect(scopeText(scopeOfText('{ "tenantId": "a", "tenantId": "b" }'))).toBe('{"tenantId":"b"}');
});

it('caches a thousand texts, and no long ones', () => {
  const first = scopeOfText('{"tenantId":"0"}');
  const long = `{"tenantId":"${'x'.repeat(1_000)}"}`;
  expect(scopeOfText(long)).not.toBe(scopeOfText(long));
  for (let i = 1; i <= 1_000; i++) scopeOfText(`{"tenantId":"${i}"}`);
  expect(scopeOfText('{"tenantId":"0"}')).not.toBe(first);
  expect(scopeText(first)).toBe('{"tenantId":"0"}');
});

it.each(['5', 'null', '"a"', '[]'])('reads %s unchanged, so that its caller can reject it', (text) => {
  expect(scopeOfText(text)).toEqual(JSON.parse(text));
});

it('throws if the text is not JSON', () => {
  expect(() => scopeOfText('{')).toThrow(SyntaxError);
});
