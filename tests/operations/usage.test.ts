import { expect, describe, it } from 'vitest';
import { createDatabase } from '../postgres/test-database.js';
import { svc } from './processes.js';

const id = '01912d68-783e-7a03-8467-5661c1243ad0';

describe('svc perspectives, svc dead-letters, svc schedule and svc audit', () => {
  it.each([
    [['perspectives', 'remake'], 'Unknown command "svc perspectives remake".'],
    [['perspectives', 'rebuild', 'A', 'B'], 'Unexpected argument "B" of rebuild.'],
    [['perspectives', 'list', '--databse', 'x'], "Unknown option '--databse'"],
    [['dead-letters', 'list', '--database', 'nowhere.db'], 'Database file nowhere.db does not exist.'],
  ])('%j is a usage error that names the mistake', async (args, message) => {
    const { code, error } = await svc(...args);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });

  it.each([
    [['perspectives', 'rebuild'], 'No perspective given.'],
    [['perspectives', 'rebuild', 'A', '--mode', 'blue'], '--mode must be one of BlueGreen, InPlace, SelectedStreams'],
    [
      ['perspectives', 'rebuild', 'A', '--mode', 'SelectedStreams'],
      '--stream and --mode SelectedStreams must be given together.',
    ],
    [['perspectives', 'rebuild', 'A', '--mode', 'InPlace', '--stream', id], 'must be given together.'],
    [['perspectives', 'rebuild', 'A', '--stream', 'x'], '--stream must be a UUID, not "x".'],
    [['perspectives', 'rebuild', 'A', '--events-per-second', '0'], '--events-per-second must be a number above 0'],
    [
      ['perspectives', 'rebuild', 'A', '--events-per-second', '9', '--mode', 'InPlace'],
      'cannot be combined with --mode InPlace',
    ],
    [['perspectives', 'cancel'], 'No request given.'],
    [['perspectives', 'cancel', id, '--wait', 'long'], '--wait must be a number above 0'],
    [['dead-letters', 'list', '--direction', 'up'], '--direction must be incoming, outgoing or scheduled'],
    [['dead-letters', 'show'], 'No dead letter given.'],
    [['schedule', 'cancel'], 'No command given.'],
    [['schedule', 'run', 'x'], 'The id of a scheduled command must be a UUID, not "x".'],
    [['schedule', 'list', '--limit', '0'], '--limit must be a number above 0'],
    [['dead-letters', 'replay'], 'Pass either the id of a dead letter or --all.'],
    [['dead-letters', 'replay', id, '--all'], 'Pass either the id of a dead letter or --all.'],
    [['dead-letters', 'replay', id, '--cause', 'Expired'], '--cause requires --all.'],
    [['dead-letters', 'list', '--cause', 'expired'], '--cause must be one of Unreadable, TooLarge'],
    [['dead-letters', 'discard', id], 'Pass --reason'],
    [['dead-letters', 'discard', '--reason', 'r'], 'Pass the id of a dead letter, or --all with --cause.'],
    [['dead-letters', 'discard', '--all', '--reason', 'r'], '--all and --cause must be given together'],
    [
      ['dead-letters', 'discard', id, '--cause', 'Expired', '--reason', 'r'],
      '--all and --cause must be given together',
    ],
    [['dead-letters', 'discard', '--all', '--cause', 'Expired'], 'Pass --reason'],
    [['dead-letters', 'discard', id, '--reason', 'r', '--as', ' '], '--as must be a name'],
    [['dead-letters', 'show', id, '--as', ' '], '--as must be a name'],
    [['perspectives', 'cancel', id, '--as', ' '], '--as must be a name'],
    [['migrate', 'rollback', 'perspective/X', '--as', ' '], '--as must be a name'],
    [['audit', 'query', '--stream', 'x'], '--stream must be a UUID, not "x".'],
    [['audit', 'query', '--correlation', 'x'], '--correlation must be a UUID, not "x".'],
    [['audit', 'query', '--level', 'High'], '--level must be one of Info, Warning, Critical.'],
    [['audit', 'query', '--from', 'yesterday'], '--from must be a date such as 2026-01-01'],
    [['audit', 'query', '--limit', '1001'], '--limit must be a whole number from 1 to 1000, not "1001".'],
    [['audit', 'query', '--limit', '1.5'], '--limit must be a whole number from 1 to 1000, not "1.5".'],
    [['audit', 'query', '--after', 'x'], '--after must be the next of an earlier page of the same query.'],
    [['audit', 'query', '--user', 'x'.repeat(1_001)], '--user must be a string of at most 1000 characters.'],
    [['audit', 'query', '--trace', 'x'], '--trace must be a UUID, not "x".'],
    [['audit', 'query', '--trace', id, '--user', 'ann'], '--trace and --user cannot be combined.'],
    [['audit', 'query', '--key-vault', 'nowhere'], 'Cannot read the key vault nowhere'],
    [['audit', 'query', '--as', ' '], '--as must be a name'],
    [['audit', 'tail', '--after', 'x'], '--after must be a UUID, not "x".'],
    [['audit', 'tail', '--to', '2026-01-01'], "Unknown option '--to'"],
    [['audit', 'tail', '--level', 'High'], '--level must be one of Info, Warning, Critical.'],
    [['audit', 'tail', '--as', ' '], '--as must be a name'],
  ])('%j is a usage error before the database is read', async (args, message) => {
    const { code, error } = await svc(...args, '--database', 'postgres://nobody@127.0.0.1:1/asked');
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });

  it('read a database without changing its schema', async () => {
    const database = await createDatabase();
    try {
      const commands = ['perspectives list', 'dead-letters list', 'audit query', 'audit tail'];
      for (const command of commands) {
        const { code, error } = await svc(...command.split(' '), '--database', database.url);
        expect([code, error]).toEqual([1, expect.stringContaining('or run svc migrate up.')]);
      }
      const { rows } = await database.query("SELECT to_regclass('svc_events') AS there");
      expect(rows).toEqual([{ there: null }]);
    } finally {
      await database.remove();
    }
  });

  it.each(['perspectives list', 'audit query', 'audit tail'])(
    'report that a server is unreachable, without the password: %s',
    async (command) => {
      const database = 'postgres://ann:hunter2@127.0.0.1:1/x';
      const { code, out, error } = await svc(...command.split(' '), '--database', database);
      expect([code, out]).toEqual([6, '']);
      expect(error).toContain('The database cannot be reached.');
      expect(error).not.toContain('hunter2');
    },
  );

  it('print their help', async () => {
    expect((await svc('perspectives', '--help')).out).toContain('Ctrl-C cancels');
    expect((await svc('dead-letters', 'help')).out).toContain('replay <id>');
  });
});
