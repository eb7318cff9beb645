import { describe, expect, it } from 'vitest';
import { jsonTexts, rowsWithTexts } from './json-texts.js';

describe('JSON texts', () => {
  it('are one parameter, in which rows without a text have nothing', () => {
    expect(jsonTexts([])).toBe('');
    expect(jsonTexts(['{"a":1}'])).toBe('{"a":1}');
    expect(jsonTexts([null, '{"a":"\\u001f"}', null])).toBe('\u001f{"a":"\\u001f"}\u001f');
  });

  it('must not contain what separates them', () => {
    expect(() => jsonTexts(['1', '2\u001f3'])).toThrow(new TypeError('A text is not JSON: it contains U+001F.'));
  });

  it('are a column of their rows', () => {
    const item = rowsWithTexts('$1', '\n  id int, "p_at" bigint[]', '$2', { alias: 'given', text: 'body' });
    expect(item.replaceAll(/\s+/g, ' ')).toBe(
      `ROWS FROM ( jsonb_to_recordset($1::jsonb) AS ( id int, "p_at" bigint[]), unnest(string_to_array($2, E'\\x1f', '')) ) AS given (id, "p_at", body)`,
    );
  });
});
