/** Whether vitest can run classes with decorators: vite leaves them in the code unless it is configured. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { loadProject } from '@svc/generator';
import { ok, problem, skipped, type Finding } from './finding.js';
import { findPackage } from './installed.js';

const check = 'tests';
const configs = ['vitest.config', 'vite.config'].flatMap((name) =>
  ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((ending) => `${name}.${ending}`),
);

/** The part of vite that is used. */
interface Vite {
  createServer(options: object): Promise<{
    transformRequest(file: string, options: { ssr: true }): Promise<{ readonly code: string } | null>;
    close(): Promise<void>;
  }>;
}

export async function checkTestRunner(folder: string): Promise<readonly Finding[]> {
  const vitest = findPackage('vitest', folder);
  if (vitest === null) return [skipped(check, 'vitest is not installed')];
  const vite = findPackage('vite', vitest.folder);
  if (vite === null) return [problem(check, 'vitest is installed without vite.', 'Run npm install.')];
  const file = decoratedFile(folder);
  if (file === null) return [skipped(check, 'no class has decorators')];
  const versions = `vitest ${vitest.version} with vite ${vite.version}`;
  const failure = await failureOf(file, folder, vite.folder);
  if (failure === null) return [ok(check, `${versions} lowers decorators`)];
  return [problem(check, `${versions} cannot run ${relative(folder, file)}: ${failure}`, lowering)];
}

const lowering =
  "Compile decorators with a plugin. In vitest.config.ts: import { decorators } from '@svc/generator/vite'; export default { plugins: [decorators()] };";

/** Transforms a file as the test runner does, and lets Node parse the result. */
async function failureOf(file: string, folder: string, viteFolder: string): Promise<string | null> {
  const entry = createRequire(join(viteFolder, 'package.json')).resolve('vite');
  const vite = (await import(pathToFileURL(entry).href)) as Vite;
  const config = configs.map((name) => join(folder, name)).find((path) => existsSync(path));
  const server = await vite.createServer({
    root: folder,
    configFile: config ?? false,
    logLevel: 'silent',
    appType: 'custom',
    server: { middlewareMode: true, watch: null, ws: false, hmr: false },
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  try {
    const result = await server.transformRequest(file, { ssr: true });
    // Compiled as the body of a function, as vite runs it.
    if (result !== null) void new Script(`(async () => {${result.code}\n})`);
    return null;
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    return line!;
  } finally {
    await server.close();
  }
}

/** A source with a decorator at the beginning of a line. */
function decoratedFile(folder: string): string | null {
  const project = loadProject(folder);
  if ('code' in project || !existsSync(project.sourceRoot)) return null;
  for (const entry of readdirSync(project.sourceRoot, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(entry) || /\.test\.tsx?$/.test(entry) || entry.endsWith('.d.ts')) continue;
    const path = join(project.sourceRoot, entry);
    const lines = readFileSync(path, 'utf8').split('\n');
    if (lines.some((line) => line.startsWith('@'))) return path;
  }
  return null;
}
