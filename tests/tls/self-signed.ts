import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { isIP } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';

/** PEM texts. The certificate is its own authority. */
export interface SelfSigned {
  readonly certificate: string;
  readonly key: string;
}

/** Makes a certificate for a server that is reached under these names and addresses. */
export function selfSigned(...hosts: readonly string[]): SelfSigned {
  const folder = mkdtempSync(join(tmpdir(), 'svc-certificate-'));
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  try {
    const names = hosts.map((host) => `${isIP(host) === 0 ? 'DNS' : 'IP'}:${host}`).join(',');
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const about = ['-subj', '/CN=svc-test', '-addext', `subjectAltName=${names}`];
    execFileSync('openssl', ['req', ...kind, ...about, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    return { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** An address of this machine that is not a loopback one, so that its servers count as remote. Null: it has none. */
export function remoteAddress(): string | null {
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal);
  return found?.address ?? null;
}
