import { describe, expect, it } from 'vitest';
import { svc } from './vite.js';

const decorated = 'const d = (c: unknown, _x: unknown) => c as never;\n@d export class A {}';

describe('svc', () => {
  it('compiles TypeScript modules with decorators, also with a query', () => {
    for (const id of ['/src/a.ts', '/src/a.mts?v=1']) {
      expect(svc().transform(decorated, id)?.code).toContain('__esDecorate');
    }
  });

  it.each(['/src/a.js', '/src/a.css', '/node_modules/x/a.ts'])('leaves %s alone', (id) => {
    expect(svc().transform(decorated, id)).toBeNull();
  });
});
