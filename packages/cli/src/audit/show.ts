import { encryptedValue, OperatorActionKind, withoutMarks } from '@svc/core/hosting';
import type { Storage, StoredRecord } from '@svc/core/storage';
import { NotFound, UsageError } from '../failures.js';
import { idOf } from '../database/ids.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { recorderOf } from '../operations/recorder.js';
import { printable } from '../printable.js';
import { properties } from '../properties.js';
import { ExitCode } from '../terminal.js';
import { readableStorage, recordedArguments } from './filter.js';
import { encrypted } from './record-text.js';

/** Shows an event with its body, and records who asked before it prints anything. */
export async function show(call: DatabaseCall): Promise<ExitCode> {
  const { database, options, positionals, json, terminal } = call;
  const [given] = positionals;
  if (given === undefined) throw new UsageError('No event given. Pass the id of an event, or <stream>@<position>.');
  const find = finderOf(given);
  const storage = readableStorage(call);
  const recorded = await recorderOf(call);
  const found = await find(storage);
  if (found === null) throw new NotFound(`${database.where} has no event ${given}.`);
  const action = { kind: OperatorActionKind.ShowEvent, target: found.id, arguments: recordedArguments(options, []) };
  const { id, type, streamId, position, timestamp, correlationId, causationId, scope, metadata, body } = await recorded(
    action,
    () => Promise.resolve(found),
  );
  const time = new Date(timestamp).toISOString();
  const event = { id, type, streamId, position, timestamp: time, correlationId, causationId, scope, metadata };
  const text = withoutMarks(body).replace(encryptedValue, JSON.stringify(encrypted));
  if (json) {
    const output = { database: database.where, event: { ...event, body: JSON.parse(text) as unknown } };
    terminal.out(printable(JSON.stringify(output, null, 2)));
    return ExitCode.ok;
  }
  terminal.out(`${properties(event)}\n\nbody\n${printable(JSON.stringify(JSON.parse(text), null, 2))}`);
  return ExitCode.ok;
}

/** Finds an event by its id, or by its place as a table of records shows it. */
function finderOf(given: string): (storage: Storage) => Promise<StoredRecord | null> {
  const [text = '', place, ...others] = given.split('@');
  if (place === undefined) {
    const id = idOf('the event', text);
    return (storage) => storage.findEvent(id);
  }
  const stream = idOf('the stream', text);
  const position = Number(place);
  if (others.length > 0 || !/^\d+$/.test(place) || !Number.isSafeInteger(position))
    throw new UsageError(`The position of an event must be a whole number from 0, not "${place}".`);
  return async (storage) => {
    for await (const record of storage.readPositions(stream, [position])) return record;
    return null;
  };
}
