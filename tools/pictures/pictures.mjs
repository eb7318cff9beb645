/** What each picture of docs/pictures shows, and what must be visible before it is taken. `:order`: an order that was cancelled. */
export const pictures = [
  { name: 'console-overview', hash: '#/overview', until: (page) => page.getByRole('region', { name: 'Hosts' }) },
  {
    name: 'console-audit',
    hash: '#/audit?user=ann',
    until: (page) => page.getByRole('region', { name: 'Audit records' }).getByText('orders.OrderCancelled'),
  },
  {
    name: 'console-stream',
    hash: '#/streams/:order',
    until: (page) => page.getByRole('region', { name: 'OrderSummaryPerspective' }),
  },
  {
    name: 'console-event',
    hash: '#/streams/:order',
    open: (page) => page.getByRole('link', { name: 'orders.OrderCancelled' }).click(),
    until: (page) => page.getByRole('list', { name: 'Causes and consequences' }),
  },
];
