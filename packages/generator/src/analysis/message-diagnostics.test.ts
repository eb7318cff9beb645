import { describe } from 'vitest';
import { messageCodes } from '../diagnostics/message-codes.js';
import { receptorCodes } from '../diagnostics/receptor-codes.js';
import { testDiagnostics, type DiagnosticCase } from './testing/diagnostic-case.js';

const command = 'export class CreateOrder implements Command { a!: string }\n';
const served = `@commandEndpoint<CreateOrder, string>({ restRoute: '/orders' })\n${command}`;
const receptor = (name: string, of = 'CreateOrder', result = 'void'): string =>
  `class ${name} implements Receptor<${of}, ${result}> { receive(): ${result} { throw 1; } }\n`;

const receptorCases: readonly DiagnosticCase[] = [
  {
    code: 'SVC1201',
    title: 'two receptors for one command',
    source: `${command}export ${receptor('First')}export ${receptor('/*!*/Second')}`,
    names: 'Second and First both receive CreateOrder',
    fix: 'Remove one of them',
  },
  {
    code: 'SVC1202',
    title: 'a receptor for a class that is not a command',
    source: `export class Plain { a!: string }\nexport ${receptor('/*!*/Handler', 'Plain')}`,
    names: 'Handler receives Plain, which is not a command',
    fix: 'Let its class implement Command',
  },
  {
    code: 'SVC1202',
    title: 'a receptor for an event',
    source: `export class OrderPlaced implements Event { a!: string }\nexport ${receptor('/*!*/Handler', 'OrderPlaced')}`,
    names: 'Handler receives OrderPlaced',
    fix: 'name the command that it receives',
  },
  {
    code: 'SVC1203',
    title: 'a receptor that returns another type',
    source: `${served}export ${receptor('/*!*/Handler', 'CreateOrder', 'number')}`,
    names: 'Handler returns number for CreateOrder, but its commandEndpoint declares string',
    fix: 'Make both the same type',
  },
  {
    code: 'SVC1204',
    title: 'a receptor that is not exported',
    source: `${command}${receptor('/*!*/Handler')}`,
    names: 'Handler is a receptor but is not exported',
    fix: 'Write export class Handler',
  },
  {
    code: 'SVC1204',
    title: 'a receptor that is exported as default',
    source: `${command}export default ${receptor('/*!*/Handler')}`,
    names: 'Handler is a receptor but is not exported',
    fix: 'Write export class Handler',
  },
  {
    code: 'SVC1205',
    title: 'a receptor whose base hides the result',
    source: `${command}interface Page<T> { items: T[] }\nabstract class Base<T extends Command> implements Receptor<T, Page<T>> { receive(): Page<T> { throw 1; } }\nexport class /*!*/Handler extends Base<CreateOrder> {}\n`,
    names: 'Handler inherits Receptor in a way that hides its command or result',
    fix: 'Write implements Receptor<Command, Result> on Handler itself',
  },
  {
    code: 'SVC1206',
    title: 'a command without a receptor, in a project that creates its service',
    source: {
      'main.ts': `import { createService } from '@svc/core';\nimport { registry } from './generated/registry.js';\ncreateService(registry).start();\n`,
      'orders.ts': command.replace('CreateOrder', '/*!*/CreateOrder'),
    },
    names: 'CreateOrder has no receptor, so the service cannot start',
    fix: 'implements Receptor<CreateOrder, Result>, or call addReceptor(CreateOrder, …)',
  },
];

const messageCases: readonly DiagnosticCase[] = [
  {
    code: 'SVC1301',
    title: 'a command that is not exported',
    source: 'class /*!*/CreateOrder implements Command {}\n',
    names: 'CreateOrder is a command but is not exported',
    fix: 'Write export class CreateOrder',
  },
  {
    code: 'SVC1301',
    title: 'an event that is exported as default',
    source: 'export default class /*!*/OrderPlaced implements Event {}\n',
    names: 'OrderPlaced is an event but is not exported',
    fix: 'not export default',
  },
  {
    code: 'SVC1301',
    title: 'a command that is exported under another name',
    source: 'class /*!*/CreateOrder implements Command {}\nexport { CreateOrder as Create };\n',
    names: 'CreateOrder',
    fix: 'Write export class CreateOrder',
  },
  {
    code: 'SVC1302',
    title: 'a generic command',
    source: 'export class /*!*/CreateOrder<T> implements Command { a!: T }\n',
    names: 'CreateOrder is a command with type parameters',
    fix: 'Make it abstract and extend it',
  },
  {
    code: 'SVC1303',
    title: 'two messages with one name',
    source: { 'a/orders.ts': command, 'b/orders.ts': 'export class /*!*/CreateOrder implements Event {}\n' },
    names: 'src/a/orders.ts has another message called CreateOrder',
    fix: 'Rename one of the classes',
  },
  {
    code: 'SVC1304',
    title: 'a class expression',
    source: 'export const CreateOrder = /*!*/class implements Command {};\n',
    names: 'This class expression is a command',
    fix: 'Write export class Name',
  },
  {
    code: 'SVC1304',
    title: 'a default export without a name',
    source: '/*!*/export default class implements Event {}\n',
    names: 'an event',
    fix: 'Write export class Name',
  },
  {
    code: 'SVC1305',
    title: 'two commands that need one generated file',
    source:
      "@commandEndpoint<HTTPPing, void>({ restRoute: '/a' })\nexport class HTTPPing implements Command {}\n@commandEndpoint<HttpPing, void>({ restRoute: '/b' })\nexport class /*!*/HttpPing implements Command {}\n",
    names: 'The endpoints of HttpPing and HTTPPing would both be written to generated/http-ping.endpoint.ts',
    fix: 'Rename one of the classes',
  },
  {
    code: 'SVC1306',
    title: 'a command that is an event',
    source: 'export class /*!*/Both implements Command, Event {}\n',
    names: 'Both implements both Command and Event',
    fix: 'Remove one of them',
  },
  {
    code: 'SVC1307',
    title: 'a command whose interface was not imported',
    source: 'import { core } from "./nowhere.js";\nexport class CreateOrder implements /*!*/core.Command {}\n',
    names: 'CreateOrder implements Command, which cannot be found',
    fix: 'Import Command from @svc/core',
  },
  {
    code: 'SVC1308',
    title: 'lenient on a class of another module',
    source: {
      'a.ts':
        'export class Notice implements Command {}\nexport class R implements Receptor<Notice> { receive() {} }\n',
      'b.ts': "import { Notice } from './a.js';\n/*!*/lenient(Notice);\n",
    },
    names: 'lenient is called on Notice',
    fix: 'Write @lenient above the class',
  },
  {
    code: 'SVC1309',
    title: 'storedAs on a class that is no message',
    source: "@/*!*/storedAs('shop.Order')\nexport class Order {}\n",
    names: 'storedAs is called on Order, which is neither a command nor an event',
    fix: 'Write @storedAs above the class of a command or an event',
  },
  {
    code: 'SVC1309',
    title: 'storedAs on an abstract class',
    source: "@/*!*/storedAs('shop.Order')\nexport abstract class OrderEvent implements Event {}\n",
    names: 'OrderEvent, which is abstract',
    fix: 'Write @storedAs above',
  },
  {
    code: 'SVC1309',
    title: 'storedAs on a class of another module',
    source: {
      'a.ts': 'export class OrderSent implements Event {}\n',
      'b.ts': "import { OrderSent } from './a.js';\n/*!*/storedAs('shop.Sent')(OrderSent);\n",
    },
    names: 'OrderSent, which is a class of another module',
    fix: 'Write @storedAs above',
  },
  ...(
    [
      ["'OrderSent'", 'it is not a namespace and a name'],
      ["'shop.'", 'it is not a namespace and a name'],
      [`'shop.${'a'.repeat(246)}'`, 'it is not a namespace and a name'],
      ["'svc.OrderSent'", 'types of svc begin with svc.'],
      ['String(1)', 'the generator cannot read its value'],
    ] as const
  ).map(([written, fault]) => ({
    code: 'SVC1310' as const,
    title: `the stored type ${written.slice(0, 20)}`,
    source: `@storedAs(/*!*/${written})\nexport class OrderShipped implements Event {}\n`,
    names: `OrderShipped has the stored type ${written}, but ${fault}`,
    fix: 'Write the type as a literal',
  })),
  {
    code: 'SVC1311',
    title: 'two events with one stored type',
    source:
      "export class OrderSent implements Event {}\n@storedAs(/*!*/'shop.OrderSent')\nexport class OrderShipped implements Event {}\n",
    names: 'OrderShipped and OrderSent are both stored as shop.OrderSent',
    fix: 'Remove one of the classes',
  },
];

describe('a receptor that cannot be used', () => {
  testDiagnostics(receptorCases, receptorCodes);
});

describe('a class that cannot be a message', () => {
  testDiagnostics(messageCases, messageCodes);
});
