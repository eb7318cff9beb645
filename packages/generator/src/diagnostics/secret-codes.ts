import type { CodeEntry } from './code-table.js';

/** SVC103x: secrets. */
export const secretCodes = {
  SVC1030: {
    title: 'A secret would be stored or returned',
    message: (where: string, owner: string) =>
      `${where} is a Secret, and ${owner}, which is stored or returned, contains it. Remove it from there; store a reference, such as the id that the provider returned.`,
  },
  SVC1031: {
    title: 'A secret has a default value',
    message: (where: string) =>
      `${where} is a Secret with a default value, which is in the source code for everyone to read. Remove the value and make the property optional, or read the value from the environment in the receptor.`,
  },
  SVC1040: {
    title: 'The subject of personal data is not a property',
    message: (where: string, subject: string) =>
      `${where} is personal data of ${subject}, but its object has no required text ${subject}. Add the property with the id of the person, or name another one.`,
  },
  SVC1041: {
    title: 'Personal data cannot be null',
    message: (where: string, owner: string) =>
      `${where} is personal data that cannot be null, and ${owner}, which can be read after its subject was erased, contains it. Add "| null", and handle it where the property is used.`,
  },
  SVC1042: {
    title: 'Personal marks an item instead of a property',
    message: (where: string) =>
      `${where} has items that are marked as Personal. Mark the property as a whole: names!: (string[] & Personal<'customerId'>) | null.`,
  },
  SVC1043: {
    title: 'An indexed property is personal data',
    message: (perspective: string, name: string) =>
      `${perspective} indexes ${name}, which is personal data and therefore stored encrypted. Remove it from indexed, and find models by the id of the person.`,
  },
} as const satisfies Record<string, CodeEntry>;
