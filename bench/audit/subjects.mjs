/** What each subject audits, and how many records each command has. */

/** @typedef {import('@svc/core').SystemEventOptions} SystemEventOptions */

/** @type {Readonly<Record<string, { about: string, configure: ((options: SystemEventOptions) => void) | null, records: number }>>} */
export const subjects = {
  off: { about: 'no audit', configure: null, records: 0 },
  events: {
    about: 'event audit: one `EventAudited` for each command',
    configure: (options) => void options.enableEventAudit(),
    records: 1,
  },
  commands: {
    about: 'command audit: one `CommandAudited` for each command',
    configure: (options) => void options.enableCommandAudit(),
    records: 1,
  },
  all: { about: 'both, and error events', configure: (options) => void options.enableAll(), records: 2 },
};
