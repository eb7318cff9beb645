/** The event of the live benchmark: when it was appended. */
export class Changed {
  at = 0;
}

/** @type {readonly import('@svc/core/testing').MessageDescriptor[]} */
export const messages = [
  {
    type: 'live.Changed',
    kind: 'event',
    class: Changed,
    read: (value) => Object.assign(new Changed(), value),
    write: (value) => JSON.stringify(value),
  },
];

/** Milliseconds on a clock that all processes of this machine share. */
export const now = () => performance.timeOrigin + performance.now();
