/** The exit codes of the agent's process. A service manager must not restart it after 2, 3 and 4. */
export const exitCodes = {
  stopped: 0,
  /** A start that failed, which a later one may not. */
  failed: 1,
  wrongUse: 2,
  'license-bound': 3,
  'license-unknown': 4,
  restart: 75,
} as const
