/** Local storage (5 MB in all) that never throws: a blocked or full one forgets, the console goes on. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps a string, or removes it when it is null. Answers whether it did: private windows and full disks do not. */
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

/** Null for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
