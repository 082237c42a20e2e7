/*
 * Checks of stored values and of `/config.json`, written by hand: the contract's schemas bring zod, which the first
 * page does without.
 */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value if it is allowed, otherwise the fallback. */
export function oneOf<T extends string>(value: unknown, allowed: readonly T[], fallback: T): T {
  return allowed.find(option => option === value) ?? fallback
}

/** Whether every named field is a string. */
export function hasStrings<K extends string>(
  value: unknown,
  names: readonly K[],
): value is Record<K, string> {
  return isRecord(value) && names.every(name => typeof value[name] === 'string')
}
