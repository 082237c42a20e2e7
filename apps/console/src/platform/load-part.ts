import { createStore } from './store.ts'

/** A part that has not come after this time has failed (docs/specification.md#8-error-catalogue). */
const TIMEOUT_MS = 120_000
const RETRY_MS = 2000
const ANSWER_TIMEOUT_MS = 10_000

/** A part of the console has not come: the server was away for too long, or a newer version has replaced its files. */
export class PartMissing extends Error {}

/** Whether a part waits for the server. */
export const isPartWaiting = createStore(false)

/** Whether the server answers now. */
export async function isServerThere(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
    return (await fetch('/config.json', { cache: 'no-store', signal })).ok
  } catch {
    return false
  }
}

/** Resolves after a moment, or when the browser is online again. */
export function waitForNetwork(): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, RETRY_MS)
    addEventListener('online', () => resolve(), { once: true })
  })
}

const isFetchFailure = (error: unknown) =>
  error instanceof Error && /module script|imported module|preload/i.test(error.message)

/** Loads a part of the console, also over an outage of up to two minutes. @throws PartMissing */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  const until = Date.now() + TIMEOUT_MS
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new PartMissing('A part of the page takes too long')), TIMEOUT_MS)
  })
  for (let wasServerThere = false; ;) {
    try {
      const part = await Promise.race([load(), timeout])
      isPartWaiting.set(false)
      return part
    } catch (cause) {
      if (!isFetchFailure(cause)) throw cause
      if (wasServerThere || Date.now() > until)
        throw new PartMissing('A part of the page is missing', { cause })
      wasServerThere = await isServerThere()
      isPartWaiting.set(!wasServerThere)
      if (!wasServerThere) await waitForNetwork()
    }
  }
}
