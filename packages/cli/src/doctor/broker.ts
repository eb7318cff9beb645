import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Call } from '../command-line/description.js';
import { ok, problem, skipped, type Finding } from './finding.js';
import { findPackage } from './installed.js';

const check = 'broker';

/** The part of `@svc/rabbitmq` that is used. The service has it installed if it needs it. */
interface RabbitMq {
  readonly logInToRabbitMq: (options: { url: string; allowPlaintext: boolean }) => Promise<string>;
}

export async function checkBroker(folder: string, { options }: Call): Promise<readonly Finding[]> {
  const url = options.text('broker') ?? process.env['RABBITMQ_URL'] ?? process.env['AMQP_URL'] ?? '';
  if (url === '') return [skipped(check, 'none is configured (RABBITMQ_URL, AMQP_URL or --broker)')];
  const installed = findPackage('@svc/rabbitmq', folder);
  if (installed === null)
    return [
      problem(
        check,
        '@svc/rabbitmq is not installed.',
        'Run npm install @svc/rabbitmq, or unset RABBITMQ_URL and AMQP_URL.',
      ),
    ];
  const entry = createRequire(join(installed.folder, 'package.json')).resolve('@svc/rabbitmq');
  const { logInToRabbitMq } = (await import(pathToFileURL(entry).href)) as RabbitMq;
  const allowPlaintext = options.flag('allow-plaintext') || process.env['ALLOW_PLAINTEXT'] === 'yes';
  try {
    const version = await logInToRabbitMq({ url, allowPlaintext });
    return [ok(check, `RabbitMQ ${version} at ${new URL(url).host}`)];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [problem(check, why, 'Check RABBITMQ_URL or AMQP_URL: host, port, user, password and virtual host.')];
  }
}
