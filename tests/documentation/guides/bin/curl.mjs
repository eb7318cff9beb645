// What the guides use of curl, for machines that have none: -s, -D, -H, -d, and a URL. It sends the same requests.
import { writeFileSync } from 'node:fs';

const headers = [];
let url;
let body;
let headerFile;
for (let i = 2; i < process.argv.length; i++) {
  const argument = process.argv[i];
  if (argument === '-s') continue;
  if (argument === '-D') {
    headerFile = process.argv[++i];
    continue;
  }
  if (argument === '-H') headers.push(process.argv[++i].split(/: */, 2));
  else if (argument === '-d') body = process.argv[++i];
  else if (argument.startsWith('-')) throw new Error(`The curl of the tests does not know ${argument}.`);
  else url = argument;
}
const response = await fetch(url, { headers, ...(body !== undefined && { method: 'POST', body }) });
if (headerFile !== undefined) {
  writeFileSync(headerFile, [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join(''));
}
process.stdout.write(await response.text());
