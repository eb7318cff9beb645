import pg from 'pg';
import { to } from 'pg-copy-streams';

/** Reads every event in log order and parses it. @param {string} url @param {number} expected */
export async function copyAndParse(url, expected) {
  const client = new pg.Client(url);
  await client.connect();
  const started = performance.now();
  const rows = client.query(
    to(
      "COPY (SELECT body FROM svc_events ORDER BY transaction_id, sequence) TO STDOUT WITH (FORMAT csv, QUOTE E'\\x01')",
    ),
  );
  let made = 0;
  let rest = '';
  for await (const chunk of rows.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      // Between two quotes that no body contains.
      if (typeof JSON.parse(line.startsWith('\u0001') ? line.slice(1, -1) : line) === 'object') made++;
    }
  }
  const ms = performance.now() - started;
  await client.end();
  return { ms, made, expected };
}
