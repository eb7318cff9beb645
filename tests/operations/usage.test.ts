import { expect, describe, it } from 'vitest';
import { createDatabase } from '../postgres/test-database.js';
import { svc } from './processes.js';

const id = '01912d68-783e-7a03-8467-5661c1243ad0';

describe('svc perspectives and svc dead-letters', () => {
  it.each([
    [['perspectives', 'remake'], 'svc perspectives has no command "remake".'],
    [['perspectives', 'rebuild', 'A', 'B'], 'rebuild does not take "B".'],
    [['perspectives', 'list', '--databse', 'x'], "Unknown option '--databse'"],
    [['dead-letters', 'list', '--database', 'nowhere.db'], 'There is no database file nowhere.db.'],
  ])('%j is a usage error that says what is wrong', async (args, message) => {
    const { code, error } = await svc(...args);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });

  it.each([
    [['perspectives', 'rebuild'], 'Which perspective?'],
    [['perspectives', 'rebuild', 'A', '--mode', 'blue'], '--mode is one of BlueGreen, InPlace, SelectedStreams'],
    [['perspectives', 'rebuild', 'A', '--mode', 'SelectedStreams'], '--stream and --mode SelectedStreams go together.'],
    [['perspectives', 'rebuild', 'A', '--mode', 'InPlace', '--stream', id], 'go together.'],
    [['perspectives', 'rebuild', 'A', '--stream', 'x'], '--stream is a UUID, not "x".'],
    [['perspectives', 'rebuild', 'A', '--events-per-second', '0'], '--events-per-second is a number above 0'],
    [
      ['perspectives', 'rebuild', 'A', '--events-per-second', '9', '--mode', 'InPlace'],
      'does not go with --mode InPlace',
    ],
    [['perspectives', 'cancel'], 'Which request?'],
    [['perspectives', 'cancel', id, '--wait', 'long'], '--wait is a number above 0'],
    [['dead-letters', 'list', '--direction', 'up'], '--direction is incoming or outgoing'],
    [['dead-letters', 'show'], 'Which dead letter?'],
    [['dead-letters', 'replay'], 'Say which dead letter, or --all.'],
    [['dead-letters', 'replay', id, '--all'], 'Say which dead letter, or --all.'],
    [['dead-letters', 'replay', id, '--cause', 'Expired'], '--cause goes with --all.'],
    [['dead-letters', 'list', '--cause', 'expired'], '--cause is one of Unreadable, TooLarge'],
    [['dead-letters', 'discard', id], 'Say why, for the record: --reason'],
    [['dead-letters', 'discard', '--reason', 'r'], 'Say which dead letter, or --all with a --cause.'],
    [['dead-letters', 'discard', '--all', '--reason', 'r'], '--all goes with --cause'],
    [['dead-letters', 'discard', id, '--cause', 'Expired', '--reason', 'r'], '--all goes with --cause'],
    [['dead-letters', 'discard', '--all', '--cause', 'Expired'], 'Say why, for the record: --reason'],
    [['dead-letters', 'discard', id, '--reason', 'r', '--as', ' '], '--as is a name'],
    [['dead-letters', 'show', id, '--as', ' '], '--as is a name'],
    [['perspectives', 'cancel', id, '--as', ' '], '--as is a name'],
    [['migrate', 'rollback', 'perspective/X', '--as', ' '], '--as is a name'],
  ])('%j is one before the database is asked', async (args, message) => {
    const { code, error } = await svc(...args, '--database', 'postgres://nobody@127.0.0.1:1/asked');
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });

  it('look at a database without changing its schema', async () => {
    const database = await createDatabase();
    try {
      for (const command of ['perspectives', 'dead-letters']) {
        const { code, error } = await svc(command, 'list', '--database', database.url);
        expect([code, error]).toEqual([1, expect.stringContaining('or say svc migrate up.')]);
      }
      const { rows } = await database.query("SELECT to_regclass('svc_events') AS there");
      expect(rows).toEqual([{ there: null }]);
    } finally {
      await database.remove();
    }
  });

  it('say that a server cannot be reached, and never the password', async () => {
    const { code, out, error } = await svc(
      'perspectives',
      'list',
      '--database',
      'postgres://ann:hunter2@127.0.0.1:1/x',
    );
    expect(code).toBe(6);
    expect(error).toContain('The database cannot be reached.');
    expect(out + error).not.toContain('hunter2');
  });

  it('explain themselves', async () => {
    expect((await svc('perspectives', '--help')).out).toContain('Ctrl-C cancels');
    expect((await svc('dead-letters', 'help')).out).toContain('replay <id>');
  });
});
