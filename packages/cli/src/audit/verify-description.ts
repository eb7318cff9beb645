import type { SubcommandDescription } from '../command-line/description.js';
import { archiveOption, databaseExitCodes, databaseOptions, inDatabase } from '../database/description.js';

const inChosenDatabase = inDatabase(async () => (await import('./verify.js')).verify);

export const verify: SubcommandDescription = {
  summary: 'prove that no sealed event was changed, removed, inserted or moved, or name the first that was',
  details: [
    'Only an anchor shows that the last events were removed together with their seals, or that the whole log was rewritten and sealed again. Without --key and --anchor, a log that was sealed again with another key looks the same.',
  ],
  options: {
    export: { value: '<folder>', summary: 'verify an export instead of a database' },
    proof: { value: '<file>', summary: 'check the proof of one event, without a database' },
    anchor: {
      value: '<file>',
      summary: 'compare with the checkpoints in this file, which an anchor has written',
      isRepeated: true,
    },
    key: {
      value: '<key>',
      summary:
        'trust this public key: its base64url, or a PEM file (default: the keys that the anchors have, or else those of the first checkpoint)',
      isRepeated: true,
    },
    from: {
      value: '<date>',
      summary: 'verify the checkpoints from this time on, such as 2026-01-01 or 2026-01-01T12:00:00Z',
    },
    to: { value: '<date>', summary: 'verify the checkpoints up to this time' },
    ...archiveOption,
    ...databaseOptions,
  },
  json: '{log, isProven, finding, checkpoints, events, unsealed, last, isPinned, anchored}; with --proof {proof, isProven, fault, isPinned, event, checkpoint}',
  examples: {
    'svc audit verify --anchor anchor.jsonl': 'verify the log against the checkpoints that an anchor has stored',
    'svc audit verify --proof proof.json --key seal.pub.pem': 'check a proof without a database',
  },
  exitCodes: {
    ...databaseExitCodes,
    0: 'proven',
    4: 'nothing is sealed',
    7: 'the log or the proof is not as it was sealed',
  },
  load: async () => {
    const [{ verifyOffline }, runInDatabase] = await Promise.all([import('./verify.js'), inChosenDatabase()]);
    return (call) => {
      const isOffline = call.options.text('proof') !== undefined || call.options.text('export') !== undefined;
      return isOffline ? verifyOffline(call) : runInDatabase(call);
    };
  },
};
