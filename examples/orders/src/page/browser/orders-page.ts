/** The script of the page: the latest orders, as they change. It runs in the browser. */
import {
  createClient,
  createOrder,
  decimal,
  live,
  orders,
  resultOf,
  uuid,
  type Client,
  type OrderSummary,
} from '../../client/generated/orders-client.js';

const operations = { createOrder, orders: live(orders) };
const [state, problem, signIn, token, place, list] = [
  element('state', HTMLElement),
  element('problem', HTMLElement),
  element('sign-in', HTMLFormElement),
  element('token', HTMLInputElement),
  element('place', HTMLButtonElement),
  element('orders', HTMLTableSectionElement),
];
let client: Client<typeof operations>;

signIn.addEventListener('submit', (event) => {
  event.preventDefault();
  const { value } = token;
  // The token stays in the memory of this page: it is not stored.
  token.value = '';
  connect(() => value);
});
place.addEventListener('click', () => void placeOrder());
connect();

function connect(bearer?: () => string): void {
  client = createClient({ url: '/', token: bearer }, operations);
  state.textContent = 'Connecting.';
  problem.textContent = '';
  signIn.hidden = true;
  client.orders
    .watch({ sort: '-placedAt', pageSize: 20 }, show)
    .ended.catch((error: unknown) => disconnected(error as Error));
}

function show(latest: readonly OrderSummary[]): void {
  state.textContent = `Connected. ${latest.length === 0 ? 'There is no order yet.' : 'New orders appear by themselves.'}`;
  place.disabled = false;
  list.replaceChildren(...latest.map(rowOf));
}

function rowOf({ orderId, status, pieces, placedAt }: OrderSummary): HTMLTableRowElement {
  const row = document.createElement('tr');
  for (const text of [orderId, status, String(pieces), placedAt.toLocaleString()]) row.insertCell().textContent = text;
  return row;
}

/** The service rejects the caller: it is not known, or may no longer see orders. What it has seen must not remain. */
function disconnected(error: Error): void {
  state.textContent = 'Not connected.';
  problem.textContent = error.message;
  place.disabled = true;
  signIn.hidden = false;
  list.replaceChildren();
}

async function placeOrder(): Promise<void> {
  const placed = await resultOf(
    client.createOrder({
      customerId: uuid('0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d'),
      lineItems: [{ productId: 'tea', quantity: 2, unitPrice: decimal('3.50') }],
      shippingAddress: { street: '1 Main St', city: 'Springfield', state: 'IL', zipCode: '62701' },
    }),
  );
  problem.textContent = placed.ok ? '' : placed.error.message;
}

function element<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no element ${id}.`);
  return found;
}
