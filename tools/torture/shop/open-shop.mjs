import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { bundledProgram } from '../../build/bundled-program.mjs';
import { Shop } from './shop.mjs';

/** The source of the program of a host. */
export const shopProgram = new URL('program.mjs', import.meta.url);

/** A shop on an empty database of the given kind. `other` and `broker` (`{ url, prefix }`) connect it to another shop. */
export async function openShop({ name, storage, servers, random, other = null, broker = null }) {
  if (storage === 'sqlite')
    return await shopOn(join(servers.createFolder(), 'data.db'), { name, random, other, broker });
  return await shopOn(await servers.createDatabase(), { name, random, other, broker });
}

/** A shop on the database at a URL or in a file. */
export async function shopOn(where, { name, random, other = null, broker = null }) {
  const { privateKey } = generateKeyPairSync('ed25519');
  const sealKey = privateKey.export({ type: 'pkcs8', format: 'pem' });
  return new Shop({
    program: await bundledProgram(shopProgram),
    configuration: { shop: name, other, where, broker, sealKey },
    open: () => (where.startsWith('postgres:') ? postgres({ url: where }) : sqlite({ file: where })),
    random,
  });
}
