/** Compiles code that uses a generated client, in a folder of its own without packages. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const compiler = join(root, 'node_modules/typescript/bin/tsc');

const generated = join(root, 'examples/orders/src/client/generated');
export const ordersClient = join(generated, 'orders-client.ts');
const modules = ['orders-client.ts', 'orders-documents.ts'];

/** What the strictest callers set. */
const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  declaration: true,
};

/** A folder with the client of examples/orders and its documents. */
export class ClientFolder {
  readonly directory: string;

  /** @param api where the modules of the client are, below the folder */
  constructor(api = '.') {
    mkdirSync(join(root, '.cache'), { recursive: true });
    this.directory = mkdtempSync(join(root, '.cache', 'client-'));
    writeFileSync(join(this.directory, 'package.json'), '{ "type": "module" }');
    mkdirSync(join(this.directory, api), { recursive: true });
    for (const name of modules) copyFileSync(join(generated, name), join(this.directory, api, name));
  }

  write(name: string, text: string): string {
    const path = join(this.directory, name);
    writeFileSync(path, text);
    return path;
  }

  /** The errors of the compiler. */
  compile(options: object): string {
    const compilerOptions = { ...strictest, target: 'es2022', noEmit: true, ...options };
    this.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
    return spawnSync(process.execPath, [compiler, '-p', this.directory], { encoding: 'utf8' }).stdout;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }
}
