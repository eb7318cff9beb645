import { afterAll, describe, expect, it } from 'vitest';
import { pathCodes } from '../diagnostics/path-codes.js';
import { testDiagnostics, type DiagnosticCase } from './testing/diagnostic-case.js';
import { imports, ServiceFixture } from './testing/service-fixture.js';

/** A command with one property and a route with the parameter `id`. */
const served = (property: string, more = ''): string =>
  `${more}@commandEndpoint<CancelOrder, void>({ restRoute: /*!*/'/orders/:id/cancel' })\nexport class CancelOrder implements Command { ${property} }\n`;

const cases: readonly DiagnosticCase[] = [
  ...[
    ['orderId!: Uuid', 'is not a property of CancelOrder'],
    ['id?: Uuid', 'is optional in CancelOrder'],
    ['id!: Uuid | undefined', 'is optional in CancelOrder'],
    ['id: Uuid = newId()', 'has a default value in CancelOrder'],
  ].map(([property = '', reason = '']): DiagnosticCase => ({
    code: 'SVC1120',
    title: `the property ${property}`,
    source: served(property),
    names: `The route /orders/:id/cancel has the parameter :id, but id ${reason}`,
    fix: 'Name a required property of CancelOrder',
  })),
  {
    code: 'SVC1120',
    title: 'a property of the command that its request type lacks',
    source: {
      'orders.ts': `export class Request { reason!: string }\n@commandEndpoint<CancelOrder, void>({ restRoute: /*!*/'/orders/:id', requestType: Request })\nexport class CancelOrder implements Command { id!: Uuid }\n`,
      'endpoint.ts': `import * as generated from './generated/cancel-order.endpoint.js';\nexport class Custom extends generated.CancelOrderEndpoint { mapRequestToCommand() {} }\n`,
    },
    names: 'id is not a property of Request',
    fix: 'Name a required property of Request',
  },
  ...['number', 'boolean', 'Uuid | null', 'string[]', '{ a: string }', '1 | 2', 'string | Int', 'unknown', 'Part'].map(
    (type): DiagnosticCase => ({
      code: 'SVC1121',
      title: `a property of type ${type}`,
      source: served(`id!: ${type}`, 'export interface Part { a: string }\n'),
      names:
        'CancelOrder.id is a parameter of the route /orders/:id/cancel, but it has a type that a path cannot contain',
      fix: 'Remove it from the route',
    }),
  ),
  {
    code: 'SVC1121',
    title: 'a secret',
    source: served('id!: string & Secret'),
    names: 'it is a Secret, which paths in logs would reveal',
    fix: 'so that callers send it in the body',
  },
  {
    code: 'SVC1121',
    title: 'personal data',
    source: served("id!: string & Personal<'customerId'>; customerId!: Uuid"),
    names: 'it is personal data, which paths in logs would reveal',
    fix: 'so that callers send it in the body',
  },
  {
    code: 'SVC1122',
    title: 'a parameter that is there twice',
    source: served('id!: Uuid').replace('/orders/:id/cancel', '/orders/:id/lines/:id'),
    names: 'The route /orders/:id/lines/:id has the parameter :id twice',
    fix: 'Name another property',
  },
  {
    code: 'SVC1123',
    title: 'two routes that differ in the names of their parameters',
    source: {
      'a.ts': served('id!: Uuid').replace('/*!*/', ''),
      'b.ts': `@commandEndpoint<PayOrder, void>({ restRoute: /*!*/'/orders/:orderId/cancel' })\nexport class PayOrder implements Command { orderId!: Uuid }\n`,
    },
    names: '/orders/:orderId/cancel of PayOrder and /orders/:id/cancel of CancelOrder match the same paths',
    fix: 'Give one of them another route',
  },
];

describe('a parameter of a route that cannot be served', () => {
  testDiagnostics(cases, pathCodes);
});

describe('a parameter of a route', () => {
  const fixture = new ServiceFixture({});
  afterAll(() => fixture[Symbol.dispose]());

  it('is a text or an integer', () => {
    const route = '/:a/:b/:c/:d/:e/:f/:g';
    fixture.replaceSources({
      'src/a.ts': `${imports}
export type Colour = 'red' | 'blue';
export enum Size { Small = 'small', Large = 'large' }
@commandEndpoint<Paint, void>({ restRoute: '${route}' })
export class Paint implements Command { a!: Uuid; b!: Decimal; c!: Date; d!: Colour; e!: Size; f!: Int & Min<1>; g!: string & Pattern<'^a'>; h!: number }
@commandEndpoint<Wash, void>({ restRoute: '/walls/:a' })
export class Wash implements Command { constructor(readonly a: string) {} }
@commandEndpoint<WashAll, void>({ restRoute: '/walls/all' })
export class WashAll implements Command {}`,
    });
    const { diagnostics, model } = fixture.analyze();
    expect(diagnostics).toEqual([]);
    const text = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, kind: 'text' }));
    expect(model.endpoints.map(({ pathParameters }) => pathParameters)).toEqual([
      [...text, { name: 'f', kind: 'integer' }, { name: 'g', kind: 'text' }],
      [{ name: 'a', kind: 'text' }],
      [],
    ]);
  });
});
