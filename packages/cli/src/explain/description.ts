import type { CommandDescription } from '../command-line/description.js';

export const explain: CommandDescription = {
  details: [
    'Diagnostics of svc generate have codes such as SVC1105. Errors of a service have codes such as SVC_NOT_FOUND.',
  ],
  arguments: { code: { summary: 'the code of a diagnostic or an error', isRepeated: true } },
  json: '[{code, title, text}]',
  examples: {
    'svc explain SVC1105': 'why svc generate reports SVC1105, with an example and the fix',
    'svc explain SVC_STREAM_BUSY SVC_CONCURRENCY_CONFLICT': 'what two errors of a service mean',
  },
  exitCodes: { 0: 'done', 2: 'wrong usage, or the code is unknown' },
  load: async () => (await import('./explain.js')).explain,
};
