import type { Options } from 'amqplib';
import type { ExchangeType } from './topology.js';

/** A message to publish to an exchange. */
export interface Outbound {
  readonly exchange: string;
  readonly exchangeType: ExchangeType;
  readonly routingKey: string;
  readonly content: Buffer;
  readonly options: Options.Publish;
}
