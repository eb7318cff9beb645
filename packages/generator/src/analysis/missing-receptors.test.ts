import { afterAll, describe, expect, it } from 'vitest';
import { imports, ServiceFixture } from './testing/service-fixture.js';

const orders = `${imports}
@commandEndpoint<CreateOrder, void>({ restRoute: '/orders' })
export class CreateOrder implements Command {}
export class CancelOrder implements Command {}
export class CancelOrderReceptor implements Receptor<CancelOrder> { receive() {} }
`;
const creating = `import { createService } from '@svc/core';\nimport { registry } from './generated/registry.js';\n`;

describe('a command without a receptor', () => {
  const fixture = new ServiceFixture({});
  afterAll(() => fixture[Symbol.dispose]());

  const reported = (files: Readonly<Record<string, string>>): string[] => {
    fixture.replaceSources({ 'src/orders.ts': orders, ...files });
    return fixture.analyze().diagnostics.map(({ code, message }) => `${code} ${message.split(' ')[0]}`);
  };

  it.each([
    ['the registry under its name', `${creating}createService(registry);`],
    ['the registry under another name', `${creating.replace('registry }', 'registry as own }')}createService(own);`],
    ['core as a namespace', `${creating.replace('{ createService }', '* as core')}core.createService(registry);`],
    ['a receptor of another command', `${creating}createService(registry).addReceptor(CancelOrder, other);`],
  ])('is reported if the service is created with %s', (_, main) => {
    expect(reported({ 'src/main.ts': main })).toEqual(['SVC1206 CreateOrder']);
  });

  it.each([
    ['the project is a library of messages', {}],
    [
      'the service is created from another registry',
      { 'src/main.ts': `${creating}import { registry as all } from 'shop';\ncreateService(all);` },
    ],
    [
      'its receptor is added',
      {
        'src/main.ts': `${creating}import { wire } from './wire.js';\nwire(createService(registry));`,
        'src/wire.ts': `import { CreateOrder as C } from './orders.js';\nexport const wire = (s: any) => s.addReceptor(C, { receive() {} });`,
      },
    ],
    [
      'receptors are added in a loop',
      {
        'src/main.ts': `${creating}const service = createService(registry);\nfor (const [command, receptor] of all) service.addReceptor(command, receptor);`,
      },
    ],
    [
      'an added receptor is not named',
      { 'src/main.ts': `${creating}createService(registry).addReceptor(all[0], receptor);` },
    ],
  ])('is not reported if %s', (_, files) => {
    expect(reported(files)).toEqual([]);
  });

  it('is not reported if a receptor cannot be read, which is', () => {
    const hidden = `${imports}
import { CreateOrder } from './orders.js';
abstract class Base<T extends Command> implements Receptor<T, T[]> { receive(): T[] { throw 1; } }
export class Hidden extends Base<CreateOrder> {}
`;
    const main = `${creating}createService(registry);`;
    expect(reported({ 'src/hidden.ts': hidden, 'src/main.ts': main })).toEqual(['SVC1205 Hidden']);
  });

  it('is reported when main.ts changes, and no longer when its receptor is written', () => {
    expect(reported({ 'src/main.ts': '' })).toEqual([]);
    fixture.write('src/main.ts', `${creating}createService(registry);`);
    const codes = () =>
      fixture.analyze(...(['src/main.ts', 'src/receptor.ts'] as const)).diagnostics.map(({ code }) => code);
    expect(codes()).toEqual(['SVC1206']);
    fixture.write(
      'src/receptor.ts',
      `${imports}import { CreateOrder } from './orders.js';\nexport class A implements Receptor<CreateOrder> { receive() {} }`,
    );
    expect(codes()).toEqual([]);
  });
});
