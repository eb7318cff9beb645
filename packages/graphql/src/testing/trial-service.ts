/** A service with one mutation of every kind that tests need, and its schema as the generator would write it. */
import {
  commandEndpoint,
  createService,
  MutationEndpointBase,
  type Command,
  type ReceptorContext,
  type Service,
} from '@svc/core';
import { isObject, prepareAt, prepareList, readDecimal, readInteger, writeJson, type Issues } from '@svc/core/json';

export class Count implements Command {
  amount!: number;
  price!: string;
  tags!: string[];
}
commandEndpoint<Count, unknown>({ graphQLMutation: 'count' })(Count);

const sdl = `
  type Query { service: String! }
  type Mutation {
    count(command: CountInput!): Counted!
    maybe(command: CountInput!): Counted
    anything(command: CountInput!): JSON
  }
  input CountInput { amount: SafeInt!, price: Decimal!, tags: [String!]! }
  type Counted { amount: SafeInt!, price: Decimal!, inner: Counted, other: Counted }
  scalar SafeInt
  scalar Decimal
  scalar JSON
`;

export type Receive = (command: Count, context: ReceptorContext) => unknown;

class CountEndpoint extends MutationEndpointBase<Count, unknown> {}

/** `receive` returns the result of every mutation. Default: the command itself. */
export function trialService(receive: Receive = ({ amount, price }) => ({ amount, price })): Service {
  return createService({
    messages: [{ type: 'trial.Count', kind: 'command', class: Count, read: readCount, write: writeJson }],
    receptors: [{ name: 'CountReceptor', command: Count, create: () => ({ receive }) }],
    endpoints: ['count', 'maybe', 'anything'].map((graphQLMutation) => ({
      name: 'CountEndpoint',
      command: Count,
      restRoute: null,
      graphQLMutation,
      readRequest: readCount,
      writeResult: writeJson,
      create: (host) => new CountEndpoint(host.dispatcher),
    })),
    openapi: { paths: {}, components: { schemas: {} } },
    graphql: {
      sdl,
      inputs: Object.fromEntries(['count', 'maybe', 'anything'].map((name) => [name, prepareCount])),
      fields: {},
      unions: {},
    },
  });
}

function prepareCount(value: unknown, issues: Issues): unknown {
  if (isObject(value)) prepareAt(value, 'tags', issues, (tags) => prepareList(tags, issues, null));
  return value;
}

/** Changes its input in place, as generated readers do. */
function readCount(value: unknown, issues: Issues): Count {
  if (!isObject(value)) return issues.reject(value, 'an object');
  const count = Object.assign(new Count(), {
    amount: readInteger(value['amount'], issues, 'amount'),
    price: readDecimal(value['price'], issues, 'price'),
    tags: value['tags'],
  });
  issues.unknownKeys(value, ['amount', 'price', 'tags']);
  value['amount'] = 'read already';
  return count;
}
