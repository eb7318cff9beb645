import { expect, describe, it } from 'vitest';
import { createDatabase } from '../postgres/test-database.js';
import { svc } from './processes.js';

const id = '01912d68-783e-7a03-8467-5661c1243ad0';

describe('svc perspectives, svc dead-letters and svc schedule', () => {
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
  ])('%j is a usage error before the database is read', async (args, message) => {
    const { code, error } = await svc(...args, '--database', 'postgres://nobody@127.0.0.1:1/asked');
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });

  it('read a database without changing its schema', async () => {
    const database = await createDatabase();
    try {
      for (const command of ['perspectives', 'dead-letters']) {
        const { code, error } = await svc(command, 'list', '--database', database.url);
        expect([code, error]).toEqual([1, expect.stringContaining('or run svc migrate up.')]);
      }
      const { rows } = await database.query("SELECT to_regclass('svc_events') AS there");
      expect(rows).toEqual([{ there: null }]);
    } finally {
      await database.remove();
    }
  });

  it('report that a server is unreachable, without the password', async () => {
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

  it('print their help', async () => {
    expect((await svc('perspectives', '--help')).out).toContain('Ctrl-C cancels');
    expect((await svc('dead-letters', 'help')).out).toContain('replay <id>');
  });
});
