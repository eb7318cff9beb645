/** Reads, follows and pays orders over GraphQL, as a front end does. `svc generate` checks the documents and writes their types. */
import { createClient, decimal, mutate, query, subscribe, type Uuid } from './generated/orders-client.js';
import { graphql, type OrderRowFragment } from './generated/orders-documents.js';

graphql(`
  fragment OrderRow on OrderSummary {
    orderId
    status
    placedAt
    paidAmount
  }
`);

const OrderList = graphql(`
  query OrderList($status: String, $after: String) {
    orders(filter: { status: { eq: $status } }, sort: "-placedAt", after: $after) {
      items {
        ...OrderRow
      }
      next
    }
  }
`);

const LiveOrders = graphql(`
  subscription LiveOrders($status: String) {
    orders(filter: { status: { eq: $status } }, sort: "-placedAt") {
      keys
      changed {
        key
        model {
          ...OrderRow
        }
      }
    }
  }
`);

const PayOrder = graphql(`
  mutation PayOrder($command: PayOrderInput!) {
    payOrder(command: $command) {
      ... on PaymentDone {
        paymentReference
      }
      ... on PaymentPending {
        message
      }
    }
  }
`);

export async function listOrders(
  url: string,
  token: () => Promise<string>,
  status?: string,
): Promise<readonly OrderRowFragment[]> {
  const client = createClient({ url, token }, { query });
  const { orders } = await client.query(OrderList, { status });
  return orders?.items ?? [];
}

/** Shows the newest orders, and again after each change, until the signal is aborted. */
export async function followOrders(
  url: string,
  token: () => Promise<string>,
  show: (orders: readonly OrderRowFragment[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const client = createClient({ url, token }, { subscribe });
  let known = new Map<string, OrderRowFragment>();
  for await (const { orders } of client.subscribe(LiveOrders, {}, { signal })) {
    if (orders === null) continue;
    for (const { key, model } of orders.changed) known.set(key, model);
    known = new Map(orders.keys.map((key) => [key, known.get(key)!]));
    show([...known.values()]);
  }
}

export async function pay(url: string, token: () => Promise<string>, orderId: Uuid, amount: string): Promise<string> {
  const client = createClient({ url, token }, { mutate });
  const command = { orderId, amount: decimal(amount), cardToken: 'tok_visa' };
  const { payOrder } = await client.mutate(PayOrder, { command });
  return 'paymentReference' in payOrder ? payOrder.paymentReference : payOrder.message;
}
