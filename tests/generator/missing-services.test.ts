import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { TemporaryProject } from './temporary-project.js';

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

const main = `import { createService, type ServiceRegistry } from '@svc/core';
import { createTestService, receptorTest } from '@svc/core/testing';

interface Services {
  readonly clock: () => Date;
  readonly payments: { pay(): void };
  readonly label?: string;
}

declare const registry: ServiceRegistry<Services>;
declare const withOptional: ServiceRegistry<Pick<Services, 'label'>>;
const clock = () => new Date();

createService(registry);
createService(registry, { clock });
createTestService(registry, { clock: 'noon' });

createService(registry, { clock, payments: { pay() {} } });
receptorTest(registry);
receptorTest(registry, { clock });
createTestService(registry);
createService(withOptional);
createService(withOptional, { label: 'a' });
receptorTest(withOptional);
`;

const project = new TemporaryProject({ 'src/main.ts': main });
afterAll(() => project.remove());

it('the compiler lists the services that constructors need and that are missing, except in tests', () => {
  const args = [compiler, '-p', project.directory, '--noEmit', '--pretty', 'false'];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: join(project.directory) });
  const line = (text: string): number => main.split('\n').indexOf(text) + 1;
  const missing = `missing the following properties from type 'MissingSecondArgument<Services>': "services.clock", "services.payments"`;
  const reported = stdout.split(/^(?=\S)/m).map((text) => text.replaceAll(/\s+/g, ' ').trim());
  expect(reported).toEqual([
    expect.stringMatching(new RegExp(`^src/main\\.ts\\(${line('createService(registry);')},.*${missing}`)),
    expect.stringMatching(
      new RegExp(`^src/main\\.ts\\(${line('createService(registry, { clock });')},.*Property 'payments' is missing`),
    ),
    expect.stringMatching(
      new RegExp(
        `^src/main\\.ts\\(${line(`createTestService(registry, { clock: 'noon' });`)},.*'string' is not assignable`,
      ),
    ),
  ]);
});
