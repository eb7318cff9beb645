import { ServiceError } from '../errors/index.js';
import type { RebuildOptions, RebuildResult } from '../perspectives/index.js';
import type { OperationRecord, StoppedStream } from '../storage/index.js';
import { rebuildArguments, retryArguments } from './arguments.js';
import type { OperationControl, OperationHandler } from './operation-handler.js';
import { mostListed, OperationKind, type RetryResult } from './operation-kind.js';

/** The perspectives of a running service, as operations use them. */
export interface OperatedPerspectives {
  /** Whether this host has the perspective, and its models belong to this version of the service. */
  canRebuild(name: string): Promise<boolean>;
  rebuild(name: string, options: RebuildOptions): Promise<RebuildResult>;
  readStopped(name: string): Promise<readonly StoppedStream[]>;
}

/** The operations on perspectives, by kind. */
export function perspectiveOperations(
  perspectives: OperatedPerspectives,
): readonly (readonly [string, OperationHandler])[] {
  const canRun = async ({ target }: OperationRecord): Promise<boolean> =>
    target !== null && (await perspectives.canRebuild(target));

  return [
    [
      OperationKind.RebuildPerspective,
      {
        canRun,
        run({ target, arguments: given, attempts, progress }, control) {
          // Resume only within a request: before a new request, the operator may have fixed the code.
          const resume = attempts > 1 || progress !== null;
          return perspectives.rebuild(target!, { ...rebuildArguments(given), resume, ...following(control) });
        },
      },
    ],
    [
      OperationKind.RetryStreams,
      {
        canRun,
        async run({ target, arguments: given }, control): Promise<RetryResult> {
          const { stream } = retryArguments(given);
          const all = (await perspectives.readStopped(target!)).map(({ streamId }) => streamId);
          if (stream !== undefined && !all.includes(stream)) throw notStopped(target!, stream);
          const streams = stream === undefined ? all : [stream];
          if (streams.length > 0) await perspectives.rebuild(target!, { streams, ...following(control) });
          const tried = new Set(streams);
          const stopped = (await perspectives.readStopped(target!)).filter(({ streamId }) => tried.has(streamId));
          const resumed = streams.length - stopped.length;
          return { resumed, stopped: stopped.slice(0, mostListed), stoppedTotal: stopped.length };
        },
      },
    ],
  ];
}

function following({ signal, progress }: OperationControl): Pick<RebuildOptions, 'signal' | 'onProgress'> {
  return {
    signal,
    onProgress: ({ processedStreams, totalStreams, eventsReplayed }) =>
      progress({ unit: 'streams', done: processedStreams, total: totalStreams, events: eventsReplayed }),
  };
}

function notStopped(perspective: string, stream: string): ServiceError {
  return new ServiceError(
    'SVC_STREAM_NOT_STOPPED',
    `${perspective} has not stopped at stream ${stream}. Run "svc perspectives list" to see the streams at which it has.`,
  );
}
