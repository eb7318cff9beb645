import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../../docs/decisions/', import.meta.url);
const files = readdirSync(folder).filter((name) => /^\d{4}-.+\.md$/.test(name));
const index = readFileSync(new URL('README.md', folder), 'utf8');

interface IndexEntry {
  readonly number: string;
  readonly title: string;
  readonly file: string;
  readonly status: string;
  readonly date: string;
}

const entryLine =
  /^\| (?<number>\d{4}) +\| \[(?<title>.+)\]\((?<file>[^)]+)\) +\| (?<status>.+?) +\| (?<date>[\d-]{10}) \|$/gm;
const entries = [...index.matchAll(entryLine)].map((match) => match.groups as unknown as IndexEntry);

const statusLine =
  /^Status: (?<status>Accepted|Withdrawn|Superseded by \[\d{4}\]\([^)]+\)), (?<date>\d{4}-\d\d-\d\d)$/m;

function textOf(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

/** The entry that a record's own title and status line call for. */
function entryOf(file: string): IndexEntry {
  const text = textOf(file);
  const title = /^# (.+)$/m.exec(text)?.[1] ?? 'no title';
  const { status = 'no status', date = 'no date' } = statusLine.exec(text)?.groups ?? {};
  return { number: file.slice(0, 4), title, file, status, date };
}

function sectionsOf(text: string): string[] {
  return [...text.matchAll(/^\*\*(Decision|Why|Consequences|Considered)/gm)].map(([, name]) => name!);
}

describe('the index of decisions', () => {
  it('has every record once, with its title, status and date', () => {
    expect(entries).toEqual(files.map(entryOf));
  });

  it('lists exactly the missing numbers', () => {
    const used = new Set(files.map((file) => Number(file.slice(0, 4))));
    const all = Array.from({ length: Math.max(...used) }, (_, place) => place + 1);
    const missing = all.filter((number) => !used.has(number)).map((number) => String(number).padStart(4, '0'));
    const listed = /^Missing numbers: ([\d,\s]+)\./m.exec(index)?.[1]?.split(/,\s/);
    expect(listed).toEqual(missing);
  });
});

describe.each(files)('decision %s', (file) => {
  it('starts with its title and its status', () => {
    const [title, , status] = textOf(file).split('\n');
    expect(title).toMatch(/^# \S/);
    expect(status).toMatch(statusLine);
  });

  it('states the decision, its reasons and its consequences', () => {
    const [decision, why, consequences, ...rest] = sectionsOf(textOf(file));
    expect([decision, why, consequences]).toEqual(['Decision', 'Why', 'Consequences']);
    expect(new Set(['Considered', ...rest])).toEqual(new Set(['Considered']));
  });
});
