import { SpanKind } from '@opentelemetry/api';
import { around } from '@svc/core/hosting';
import type { Interest, ReceiveCommand, ReceiveMessages, Transport, TransportMessage } from '@svc/core/transport';
import { attribute } from '../attributes.js';
import { metric, type Metric } from '../metrics/metric.js';
import { observe } from '../observe.js';
import { outcomeOf, type Outcome } from '../outcome.js';
import { TracedBatch, type BatchSpan } from '../traced-batch.js';
import type { Watch } from '../watch.js';

/** `svc.publish` and `svc.receive`: messages between hosts, in the trace of their cause. `self` is the origin of the host's own messages. */
export function watchedTransport(inner: Transport, self: string, { tracer, metrics }: Watch): Transport {
  const { publishing, receiveSpan } = spansOf(inner.systemName ?? 'svc');
  return around(inner, {
    publish(messages) {
      const batch = new TracedBatch(tracer, publishing, messages);
      const leaving = messages.map((message) => batch.leaving(message));
      return observe(
        () => batch.run(() => inner.publish(leaving)),
        (failure) => {
          batch.end(failure);
          count(metric.published, messages, () => (failure === null ? 'ok' : outcomeOf(failure.error)));
        },
      );
    },
    subscribe: (interest, receive) => inner.subscribe(interest, receiving(interest, receive)),
    ...(inner.openInbox !== undefined && { openInbox: (receive) => inner.openInbox!(receivingCommands(receive)) }),
  });

  function receivingCommands(receive: ReceiveCommand): ReceiveCommand {
    return (command) => {
      const batch = new TracedBatch(tracer, receiveSpan, [command]);
      return observe(
        () => batch.run(() => receive(command)),
        (failure) => {
          batch.end(failure);
          count(metric.received, [command], () => (failure === null ? 'ok' : outcomeOf(failure.error)));
        },
      );
    };
  }

  function receiving({ topics }: Interest, receive: ReceiveMessages): ReceiveMessages {
    const wanted = new Set(topics.map(({ topic }) => topic));
    return (delivered) => {
      // A broker also delivers what this host has published itself, which the host ignores.
      const messages = delivered.filter(({ origin }) => origin !== self);
      const batch = new TracedBatch(tracer, receiveSpan, messages);
      return observe(
        () => batch.run(() => receive(delivered)),
        (failure) => {
          batch.end(failure);
          const outcome = (): Outcome => (failure === null ? 'ok' : outcomeOf(failure.error));
          // Names that this host did not subscribe to come from outside and are unbounded.
          count(metric.received, messages, outcome, (topic) => (wanted.has(topic) ? topic : 'other'));
        },
      );
    };
  }

  function count(
    counter: Metric,
    messages: readonly TransportMessage[],
    outcome: () => Outcome,
    topicOf = (destination: string): string => destination,
  ): void {
    const counts = new Map<string, { labels: Record<string, string>; count: number }>();
    for (const message of messages) {
      const labels = { [attribute.destination]: topicOf(message.destination), [attribute.outcome]: outcome() };
      const key = Object.values(labels).join(' ');
      const known = counts.get(key);
      if (known === undefined) counts.set(key, { labels, count: 1 });
      else known.count++;
    }
    for (const one of counts.values()) metrics.record(counter, one.count, one.labels);
  }
}

function spansOf(system: string): { publishing: BatchSpan; receiveSpan: BatchSpan } {
  const publishing: BatchSpan = {
    name: 'svc.publish',
    kind: SpanKind.PRODUCER,
    attributes: {
      [attribute.messagingSystem]: system,
      [attribute.messagingOperation]: 'publish',
      [attribute.messagingOperationType]: 'send',
    },
  };
  const receiveSpan: BatchSpan = {
    name: 'svc.receive',
    kind: SpanKind.CONSUMER,
    attributes: {
      [attribute.messagingSystem]: system,
      [attribute.messagingOperation]: 'receive',
      [attribute.messagingOperationType]: 'process',
    },
  };
  return { publishing, receiveSpan };
}
