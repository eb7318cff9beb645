import { closeGently, connect } from './connect.js';
import { failureOf } from './failures.js';
import { settingsOf, type RabbitMqOptions } from './options.js';

/** Logs in to the broker, creates nothing and disconnects. Returns the version of the broker; throws a `ServiceError` without credentials. */
export async function logInToRabbitMq(
  options: Pick<RabbitMqOptions, 'url' | 'tls' | 'allowPlaintext' | 'connectTimeoutMs'>,
): Promise<string> {
  const settings = settingsOf({ ...options, hostName: 'login' });
  try {
    const connection = await connect(settings, 'check');
    // The client emits errors of a lost connection; without a listener they would end the process.
    connection.on('error', () => {});
    const { version } = connection.connection.serverProperties;
    await closeGently(connection);
    return version;
  } catch (error) {
    throw failureOf(error);
  }
}
