import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { run } from '@svc/cli';
import { describe, expect, it } from 'vitest';

async function svc(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const lines = { out: [] as string[], error: [] as string[] };
  const code = await run(args, { out: (line) => lines.out.push(line), error: (line) => lines.error.push(line) });
  return { code, out: lines.out.join('\n'), error: lines.error.join('\n') };
}

describe('svc deploy', () => {
  it('prints its help', async () => {
    const { code, out } = await svc('deploy', '--help');
    expect(code).toBe(0);
    for (const command of ['canary', 'blue-green', 'rolling', 'recreate', 'rollback', 'check', 'manifests']) {
      expect(out).toContain(`  ${command} `);
    }
  });

  it.each([
    [['deploy', 'cannary'], 'Unknown command "svc deploy cannary".'],
    [['deploy', 'canary', '--stage-time', '5'], '--stage-time must be a time such as 500ms, 30s or 5m, not "5".'],
    [['deploy', 'canary', '--max-error-rate', '500%'], '--max-error-rate must be a rate such as 5% or 0.05'],
    [['deploy', 'canary', '--stages', '10,5'], 'Stages must be whole percents that increase to 100'],
    [['deploy', 'rolling'], 'No version given. Pass --version <v>.'],
    [['deploy', 'rolling', '--version', 'v1; rm -rf /'], 'A version consists of letters, digits, dots'],
    [['deploy', 'rolling', '--vresion', 'v1'], "Unknown option '--vresion'"],
    [['deploy', 'status', '--config', 'nowhere.json'], 'Cannot read nowhere.json'],
  ])('%j is a usage error that names the mistake', async (args, message) => {
    const { code, error } = await svc(...args);
    expect(code).toBe(2);
    expect(error).toContain(message);
  });

  it('is not loaded by svc generate, nor is the Kubernetes client by svc deploy without a cluster', () => {
    const bin = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url));
    const loaded = (args: string[]): string => {
      const { stderr } = spawnSync(process.execPath, [bin, ...args], {
        encoding: 'utf8',
        env: { ...process.env, NODE_DEBUG: 'esm' },
      });
      return stderr;
    };
    expect(loaded(['deploy', 'status', '--config', 'nowhere.json'])).not.toMatch(
      /client-node|packages\/generator\/dist/,
    );
    expect(loaded(['generate', '--help'])).not.toMatch(/packages\/deploy\/dist/);
  });
});
