/** What a pod is given to leave: first the endpoints forget it, then it drains, and only after both would it be killed. */
export const drainTiming = {
  /** Before SIGTERM: the time in which proxies learn that the pod is leaving, while it serves as before. */
  preStopSeconds: 5,
  /** After SIGTERM: readiness says 503, requests are still served. `DRAIN_NOTICE_MS`, which `drainOnSignals` reads. */
  noticeSeconds: 5,
  /** The host's limit for everything after SIGTERM; `limitMs` of its `Drain`. */
  limitSeconds: 25,
  /** For what cannot be foreseen. */
  spareSeconds: 5,
} as const;

export const terminationGracePeriodSeconds =
  drainTiming.preStopSeconds + drainTiming.limitSeconds + drainTiming.spareSeconds;
