import { describe, expect, it } from 'vitest';
import { lowerDecorators } from './lower-decorators.js';

const source = `
function mark(name: string) { return (target: { readonly marked?: string }): void => void Object.assign(target, { marked: name }); }
@mark('yes')
export class Book { title!: string; static #count = 1; static count(): number { return Book.#count; } }
`;

describe('lowerDecorators', () => {
  it('returns code that runs without decorators, and a map to the source', async () => {
    const { code, map } = lowerDecorators(source, '/books/book.ts')!;
    const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      Book: { marked: string; count(): number };
    };
    expect([module.Book.marked, module.Book.count()]).toEqual(['yes', 1]);
    expect(code).not.toContain('sourceMappingURL');
    expect(JSON.parse(map)).toMatchObject({ sources: ['book.ts'], sourcesContent: [source] });
  });

  it('leaves a module without decorators to others', () => {
    expect(lowerDecorators('export const answer: number = 42;', '/answer.ts')).toBeNull();
  });
});
