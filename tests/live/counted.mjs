/** The one event of the hosts that count. Plain JavaScript, so that it runs in processes of its own. */
export class Counted {}

export const messages = [
  {
    type: 'live.Counted',
    kind: 'event',
    class: Counted,
    read: () => new Counted(),
    write: JSON.stringify,
  },
];
