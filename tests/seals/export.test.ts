/** Exports and proofs: what a reader without the database can check. */
import { createPublicKey, randomInt } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@svc/cli';
import { fileAnchor, httpAnchor, InMemoryStorage, outputAnchor } from '@svc/core';
import { folderArchive, type ArchiveStore } from '@svc/core/storage';
import {
  checkProof,
  exportLog,
  proveEvent,
  publicSealKey,
  readAnchorFile,
  sealedLogOf,
  verifyExport,
  verifySeals,
} from '@svc/core/hosting';
import type { Storage } from '@svc/core/storage';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { allSealed, describeDatabases, newKey, place, recordsOf, sealingShop } from './sealed-shop.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? randomInt(2 ** 31));
const changes = Number(process.env['SVC_SEAL_CHANGES'] ?? 300);

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'svc-export-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

async function sealedStorage(storage: Storage, key = newKey(), batches = 3): Promise<string> {
  const service = await sealingShop(storage, { keys: [key] });
  for (let batch = 0; batch < batches; batch++) {
    for (let i = 0; i < 5; i++) await place(service, `order ${batch}.${i} "ü" 𝄞`);
    await service.idle();
    await allSealed(storage);
  }
  await service.stop();
  return key;
}

/** Small and repeatable (mulberry32). */
function randomOf(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

describe('export', () => {
  it(`detects ${changes} random changes of one byte (seed ${seed})`, async () => {
    const storage = new InMemoryStorage();
    await sealedStorage(storage);
    const store = folderArchive(folder());
    await exportLog(storage, store);
    const names = await store.list();
    const contents = new Map<string, Uint8Array>();
    for (const name of names) contents.set(name, (await store.read(name))!);
    expect((await verifyExport(store)).finding).toBeNull();
    const random = randomOf(seed);
    const undetected: string[] = [];
    for (let i = 0; i < changes; i++) {
      const name = names[random(names.length)]!;
      const changed = Buffer.from(contents.get(name)!);
      const [at, to] = [random(changed.length), 1 + random(255)];
      changed[at] = changed[at]! ^ to;
      const tampered: ArchiveStore = {
        ...store,
        read: (wanted) => Promise.resolve(wanted === name ? changed : contents.get(wanted)!),
      };
      if ((await verifyExport(tampered)).finding === null) undetected.push(`${name} at ${at} ^ ${to}`);
    }
    expect(undetected).toEqual([]);
  }, 600_000);

  it('continues where it ended, also if its last file was not complete', async () => {
    const storage = new InMemoryStorage();
    const key = await sealedStorage(storage);
    const path = folder();
    const store = folderArchive(path);
    const first = await exportLog(storage, store);
    expect(await exportLog(storage, store)).toEqual([]);
    await sealedStorage(storage, key);
    // What a killed process leaves.
    writeFileSync(join(path, 'seals-000000000009-000000000009-0.jsonl.gz.1.unfinished'), 'half');
    const second = await exportLog(storage, store);
    expect(second.length).toBeGreaterThan(0);
    const events = [...first, ...second].reduce((sum, file) => sum + file.events, 0);
    const result = await verifyExport(store, { keys: [publicSealKey(createPublicKey(key))] });
    expect(result).toMatchObject({ finding: null, events });
    expect(events).toBe((await storage.seals.readLast())!.size);

    rmSync(join(path, first[0]!.name));
    expect((await verifyExport(store)).finding).toMatchObject({ kind: 'removed-seal', checkpoint: 1 });
  });

  it('reports a damaged file if the verification needs it', async () => {
    const storage = new InMemoryStorage();
    const key = newKey();
    const path = folder();
    const store = folderArchive(path);
    const exported = async (): Promise<string> => {
      await sealedStorage(storage, key, 1);
      const [file] = await exportLog(storage, store);
      return file!.name;
    };
    await exported();
    const to = new Date();
    await exported();
    const third = await exported();
    writeFileSync(join(path, third), 'not compressed');
    expect((await verifyExport(store)).finding).toMatchObject({
      kind: 'changed-file',
      description: expect.stringContaining(third) as string,
    });
    expect((await verifyExport(store, { to })).finding).toBeNull();
  });

  it('locates the event that was changed in a file, also if the name of the file was adapted', async () => {
    const storage = new InMemoryStorage();
    await sealedStorage(storage);
    const bad = (await recordsOf(storage)).filter(({ type }) => type === 'shop.OrderPlaced')[7]!;
    const forged: Storage = Object.assign(Object.create(storage) as Storage, {
      async *readAll(after: number) {
        for await (const record of storage.readAll(after)) {
          yield record.id === bad.id ? { ...record, body: record.body.replace('order', 'forged') } : record;
        }
      },
    });
    const store = folderArchive(folder());
    await exportLog(forged, store);
    expect((await verifyExport(store)).finding).toMatchObject({ kind: 'changed-body', eventId: bad.id });
  });
});

describe('anchors', () => {
  it('write to a file, an HTTP endpoint and standard output', async () => {
    const path = join(folder(), 'anchor.jsonl');
    writeFileSync(path, '{"svcCheckpoint":"an incomplete li');
    const lines: string[] = [];
    const bodies: string[] = [];
    let status = 503;
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        if (status === 200) bodies.push(body);
        response.writeHead(status).end();
        status = 200;
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/seals?token=secret`;
    const storage = new InMemoryStorage();
    const anchors = [fileAnchor(path, { entries: true }), httpAnchor(url), outputAnchor((text) => lines.push(text))];
    expect(anchors.map(({ name }) => name).join()).not.toContain('secret');
    const service = await sealingShop(storage, { anchors });
    await place(service, 'anchored');
    await service.idle();
    await allSealed(storage);
    const count = (await storage.seals.readLast())!.number;
    await vi.waitFor(
      async () => {
        expect(await readAnchorFile(path)).toHaveLength(count);
        expect([bodies.length, lines.length]).toEqual([count, count]);
      },
      { timeout: 10_000 },
    );
    await service.stop();
    const anchored = await readAnchorFile(path);
    expect(await verifySeals(sealedLogOf(storage), { anchored })).toMatchObject({ finding: null, anchored: count });
    expect(anchored[0]!.entries!.length).toBeGreaterThan(0);
    expect(JSON.parse(bodies[0]!)).toEqual({ svcCheckpoint: anchored[0]!.checkpoint });
    expect(JSON.parse(lines[0]!)).toEqual({ svcCheckpoint: anchored[0]!.checkpoint });
  });
});

describe('proof', () => {
  it('proves each sealed event without the log, and nothing else', async () => {
    const storage = new InMemoryStorage();
    const key = await sealedStorage(storage);
    const keys = [publicSealKey(createPublicKey(key))];
    const sealed = (await recordsOf(storage)).slice(0, (await storage.seals.readLast())!.size);
    for (const { id } of sealed) {
      const proof = (await proveEvent(storage, id))!;
      expect(checkProof(proof, { keys })).toMatchObject({ fault: null, event: { id }, isPinned: true });
    }
    const proof = (await proveEvent(storage, sealed[5]!.id))!;
    const other = [publicSealKey(createPublicKey(newKey()))];
    expect(checkProof(proof, { keys: other }).fault).toContain('not trusted');
    expect(checkProof(proof.replace('"index": 5', '"index": 6'), { keys }).fault).not.toBeNull();
    expect(checkProof(proof.replace('order', 'ordre'), { keys }).fault).toContain('not the one that was sealed');
    const { checkpoint } = JSON.parse(proof) as { checkpoint: string };
    const later = JSON.stringify(checkpoint).replace('2026', '2027').slice(1, -1);
    const forged = proof.replace(JSON.stringify(checkpoint).slice(1, -1), later);
    if (forged !== proof) expect(checkProof(forged, { keys }).fault).toContain('signature');
    expect(() => checkProof('{}', {})).toThrow('not a proof');
    expect(await proveEvent(storage, '01900000-0000-7000-8000-000000000001' as never)).toBeNull();
  });
});

describeDatabases((fresh) => {
  it('is verified, proven and exported by the command line', async () => {
    const store = await fresh();
    const path = folder();
    const [anchor, exported, proof] = ['anchor.jsonl', 'export', 'proof.json'].map((name) => join(path, name));
    const storage = store.open();
    const key = newKey();
    const service = await sealingShop(storage, { keys: [key], anchors: [fileAnchor(anchor!, { entries: true })] });
    for (let i = 0; i < 5; i++) await place(service, `order ${i}`);
    await service.idle();
    await allSealed(storage);
    const { number } = (await storage.seals.readLast())!;
    await vi.waitFor(async () => expect(await readAnchorFile(anchor!)).toHaveLength(number));
    const bad = (await recordsOf(storage)).find(({ type }) => type === 'shop.OrderPlaced');
    await service.stop();
    const { publicKey } = publicSealKey(createPublicKey(key));
    const svc = async (...args: string[]): Promise<[code: number, output: string]> => {
      const lines: string[] = [];
      const print = (line: string): void => void lines.push(line);
      return [await run(['audit', ...args], { out: print, error: print }), lines.join('\n')];
    };
    const database = ['--database', store.address, '--allow-plaintext'];
    expect(await svc('verify', ...database, '--anchor', anchor!, '--key', publicKey)).toEqual([
      0,
      expect.stringContaining('is as it was sealed'),
    ]);
    expect(await svc('verify', ...database)).toEqual([0, expect.stringContaining('Pass --key or --anchor')]);
    expect(await svc('verify', ...database, '--to', '2020-01-01')).toEqual([4, expect.any(String)]);
    expect(await svc('verify', ...database, '--from', '2020-01-01', '--json')).toEqual([
      0,
      expect.stringContaining('"isProven": true'),
    ]);
    expect(await svc('verify', ...database, '--from', 'soon')).toEqual([2, expect.stringContaining('--from must be')]);
    expect((await svc('prove', bad!.id, ...database, '--out', proof!))[0]).toBe(0);
    expect(await svc('verify', '--proof', proof!, '--key', publicKey)).toEqual([0, expect.stringContaining(bad!.id)]);
    expect((await svc('export', ...database, '--to', exported!))[0]).toBe(0);
    expect(readdirSync(exported!).length).toBeGreaterThan(0);
    expect(await svc('verify', '--export', exported!, '--anchor', anchor!)).toEqual([
      0,
      expect.stringContaining('is as it was sealed'),
    ]);

    await store.tamper(`UPDATE svc_events SET body = '{"note":"forged"}' WHERE id = '${bad!.id}'`);
    const [code, output] = await svc('verify', ...database, '--json');
    expect(code).toBe(7);
    expect(JSON.parse(output)).toMatchObject({ isProven: false, finding: { kind: 'changed-body', eventId: bad!.id } });
    expect(await svc('verify', ...database)).toEqual([7, expect.stringContaining(`event        ${bad!.id}`)]);
    expect((await svc('prove', bad!.id, ...database))[0]).toBe(1);
    writeFileSync(proof!, readFileSync(proof!, 'utf8').replace('order 0', 'order 9'));
    expect(await svc('verify', '--proof', proof!)).toEqual([7, expect.stringContaining('proves nothing')]);
  });
});
