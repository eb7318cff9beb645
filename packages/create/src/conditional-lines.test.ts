import { describe, expect, it } from 'vitest';
import { withoutOtherLines } from './conditional-lines.js';

const text = `always
a(); //? jwt
b: 1 #? broker
  #?begin postgres
  c: 1
  #?end
<!--?begin jwt-->

d

<!--?end-->

end
`;

describe('withoutOtherLines', () => {
  it('leaves lines whose condition holds, without their marks', () => {
    expect(withoutOtherLines(text, new Set(['jwt', 'broker', 'postgres']))).toBe(
      'always\na();\nb: 1\n  c: 1\n\nd\n\nend\n',
    );
  });

  it('removes the others, and blank lines that meet', () => {
    expect(withoutOtherLines(text, new Set())).toBe('always\n\nend\n');
  });
});
