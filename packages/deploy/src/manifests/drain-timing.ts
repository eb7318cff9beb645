/** The time of a pod to stop: first it leaves the endpoints, then it drains. It is killed only after both. */
export const drainTiming = {
  /** Before SIGTERM: the time in which proxies learn that the pod stops, while it serves as before. */
  preStopSeconds: 5,
  /** After SIGTERM: readiness returns 503, requests are still served. `DRAIN_NOTICE_MS`, which `drainOnSignals` reads. */
  noticeSeconds: 5,
  /** The host's limit for everything after SIGTERM; `limitMs` of its `Drain`. */
  limitSeconds: 25,
  /** A safety margin. */
  spareSeconds: 5,
} as const;

/** The `terminationGracePeriodSeconds` of a pod: the sum of all times in which it stops. */
export const terminationGracePeriodSeconds =
  drainTiming.preStopSeconds + drainTiming.limitSeconds + drainTiming.spareSeconds;
