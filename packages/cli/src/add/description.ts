import type { CommandDescription } from '../command-line/description.js';
import { kinds } from './kinds.js';

export const add: CommandDescription = {
  details: [
    'Writes the source of a class and its test into the source folder of a service. Files that exist are never changed.',
  ],
  arguments: {
    kind: { summary: `what to add: ${kinds.join(', ')}`, values: kinds },
    name: { summary: 'the name of the class, such as ReturnBook' },
  },
  options: {
    in: { value: '<folder>', summary: 'a folder below the source folder (default: the source folder)' },
    project: { value: '<folder>', summary: "the folder of the service's package.json", default: '.' },
  },
  json: '{written: [path]}',
  examples: {
    'svc add command ReturnBook --in books': 'write src/books/return-book.ts and its test',
    'svc add reaction RemindMember': 'write src/remind-member.ts and its test',
  },
  exitCodes: { 0: 'written', 1: 'the files exist or could not be written', 2: 'wrong usage' },
  load: async () => (await import('./add.js')).add,
};
