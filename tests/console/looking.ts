/** A desk with notes, and its console: each note is an event, and a stream can have several. */
import { newId, perspective, ScopeFilters, type Perspective, type Service, type Uuid } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { svcConsole } from '@svc/console/fastify';
import Fastify from 'fastify';
import { onTestFinished } from 'vitest';
import { NoteTaken, openDesk, type Desk, type Note, type TakesNote } from '../access/desk.js';

export interface Words {
  words: string[];
}

/** All notes with the same first word, of one tenant. */
export class NotesByWord implements Perspective<Words, NoteTaken> {
  keyOf({ text }: NoteTaken): string | null {
    return text === '' ? null : text.split(' ')[0]!;
  }

  apply(model: Words | null, { text }: NoteTaken): Words {
    if (text.includes('unspeakable')) throw new Error('I cannot say that.');
    return { words: [...(model?.words ?? []), text] };
  }
}

/** The same for all tenants together. */
@perspective({ scope: ScopeFilters.None })
export class SharedNotes extends NotesByWord {}

/** Appends the notes of a text, one for each line. */
const takeNotes: TakesNote = ({ noteId, text }, context) => {
  for (const line of text.split('\n')) context.append(noteId, Object.assign(new NoteTaken(), { text: line }));
  return { noteId };
};

export const [ann, bob, auditor, operator] = [
  'acme/ann',
  'globex/bob',
  'acme/ada system:read',
  '-/olga system:read tenants:act',
];

export interface Looking extends Desk {
  /** The answer of the console to a request, and its status. */
  get(who: string | null, path: string): Promise<Answer>;
  post(who: string | null, path: string, body: object): Promise<Answer>;
  /** Appends notes, and resolves with the id of the stream when its records are in the audit. */
  note(who: string, text: string, noteId?: Uuid): Promise<Uuid>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests know the answers
  readonly json: any;
}

export async function consoleOf(service: Service): Promise<Pick<Looking, 'get' | 'post'>> {
  const app = Fastify();
  await app.register(svcConsole(service));
  onTestFinished(() => app.close());
  const send = async (method: 'GET' | 'POST', who: string | null, path: string, payload?: object): Promise<Answer> => {
    const headers = who === null ? {} : { authorization: who };
    const url = `/console/api${path}`;
    const {
      statusCode,
      body,
      headers: sent,
    } = await app.inject({
      method,
      url,
      headers,
      ...(payload !== undefined && { payload }),
    });
    const isJson = String(sent['content-type']).startsWith('application/json');
    const isProblem = String(sent['content-type']).startsWith('application/problem+json');
    return { status: statusCode, text: body, headers: sent, json: isJson || isProblem ? JSON.parse(body) : null };
  };
  return {
    get: (who, path) => send('GET', who, path),
    post: (who, path, body) => send('POST', who, path, body),
  };
}

export async function openLooking(storage: Storage): Promise<Looking> {
  const desk = await openDesk({ storage, receive: takeNotes, others: [NotesByWord, SharedNotes] });
  return {
    ...desk,
    ...(await consoleOf(desk.service)),
    note: async (who, text, noteId = newId()) => {
      await desk.rest.take(who, { noteId, text });
      await desk.service.idle();
      return noteId;
    },
  };
}

export type { Note };
