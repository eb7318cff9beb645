import type { InMemoryStorage, PendingRecord, PerspectiveStorage } from '../../storage/index.js';
import type { NamedPerspective } from '../perspective.js';
import { appendEvent } from './trial-events.js';
import { Noted } from './trial-messages.js';
import { namedPerspective } from './trial-perspective.js';

/** The notes of a stream or of a key, in the order in which they were applied. */
export interface Notes {
  readonly notes: string;
}

interface NotesOptions {
  /** The notes at which `apply` fails, which a test may change. Default: none. */
  readonly failing?: ReadonlySet<string> | undefined;
  /** What is between two notes. Default: nothing. */
  readonly separator?: string;
}

/** Returns an `apply` that adds each note to the model. */
export function applyNotes({ failing, separator = '' }: NotesOptions = {}) {
  return (model: Notes | null, { note }: Noted): Notes => {
    if (failing?.has(note) === true) throw new Error(`cannot apply ${note}`);
    return { notes: model === null ? note : `${model.notes}${separator}${note}` };
  };
}

/** Returns a perspective with a model of notes for each stream. */
export function notesPerspective({
  name = 'Notes',
  ...options
}: NotesOptions & { readonly name?: string } = {}): NamedPerspective {
  return namedPerspective({ name, perspective: { apply: applyNotes(options) }, events: [Noted] });
}

/** The fields of an event with a note. Default of its key: `k`. */
export type NoteFields = Partial<PendingRecord> & { readonly key?: string | null };

export function appendNote(storage: InMemoryStorage, note: string, { key, ...fields }: NoteFields = {}): PendingRecord {
  return appendEvent(storage, { body: JSON.stringify({ note, key }), ...fields });
}

/** The notes of a stored model; undefined: there is no model. */
export async function notesOf(perspectives: PerspectiveStorage, name: string, id: string): Promise<string | undefined> {
  const [model] = await perspectives.readModels(name, [id]);
  return (JSON.parse(model?.body ?? '{}') as Partial<Notes>).notes;
}
