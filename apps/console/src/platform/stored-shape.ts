/*
 * Checks of what this browser keeps and what its own server says at the start, by hand: the contract's schemas bring
 * zod, which the first page is to do without.
 */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One of the allowed words, or the fallback. */
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
