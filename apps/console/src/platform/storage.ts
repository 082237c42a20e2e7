/** Local storage (5 MB in all) that never throws. A blocked or full one stores nothing. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/**
 * Stores a string, or removes it when it is null. Returns false when that failed, as in private windows and on full
 * disks.
 */
export function writeStored(key: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
    return true
  } catch {
    return false
  }
}

/** A stored JSON value, or null when there is none or it is not JSON. */
export function readStoredJson(key: string): unknown {
  const text = readStored(key)
  return text === null ? null : parseJson(text)
}

/** Null for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
