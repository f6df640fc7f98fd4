/** What connections to sentinels have in common in tests: the machine may be busy. */
export const sentinelConnection = {
  db: 0,
  name: undefined,
  username: undefined,
  password: undefined,
  protocol: 2,
  timeoutMs: 30_000,
  connectTimeoutMs: 30_000,
  queueCalls: 1000,
  queueBytes: 1e6,
  replyBytes: 1e7,
} as const
