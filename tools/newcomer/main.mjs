/** Counts again and writes the table: `node tools/newcomer/main.mjs`. Format the page afterwards. */
import { readFileSync, writeFileSync } from 'node:fs';
import { page, withCountedTable } from './table.mjs';

writeFileSync(page, withCountedTable(readFileSync(page, 'utf8')));
