export interface RabbitMqNode {
  readonly port: number;
  readonly url: string;
  readonly password: string;
  /** Where its data and its logs are. */
  readonly folder: string;
  start(): Promise<void>;
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** Runs `rabbitmqctl` with these arguments. */
  control(...args: readonly string[]): Promise<string>;
  flushQueues(): Promise<void>;
  remove(): Promise<void>;
}

export function createNode(settings?: Readonly<Record<string, string>>): Promise<RabbitMqNode>;
