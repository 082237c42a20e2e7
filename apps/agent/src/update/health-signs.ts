/**
 * The signs of a healthy agent, which it sends to its supervisor: it plays, or rightly nothing; it has a session besides; and,
 * again and again, that it does not hang. The supervisor may be of any former release.
 */
export type Sign = 'playing' | 'healthy' | 'alive'

const SIGNS: readonly unknown[] = ['playing', 'healthy', 'alive'] satisfies Sign[]

export const isSign = (message: unknown): message is { floorcast: Sign } =>
  typeof message === 'object' &&
  message !== null &&
  'floorcast' in message &&
  SIGNS.includes(message.floorcast)

/** Sends a sign to the supervisor; without one nothing. */
export const sendSign = (sign: Sign): void => void process.send?.({ floorcast: sign })

/** Whether a supervisor has started this process. */
export const isSupervised = (): boolean => process.send !== undefined

const INTERVAL_MS = 250
/** The time between two signs of life. */
export const ALIVE_MS = 10_000

/** The interval of the first signs, while a supervisor may have a new program on trial. */
const START_ALIVE_MS = 1000
const START_MS = 300_000

/** Sends signs of life to the supervisor for as long as this process answers. */
export function showLife(): void {
  const send = () => sendSign('alive')
  send()
  const often = setInterval(send, START_ALIVE_MS).unref()
  setTimeout(() => {
    clearInterval(often)
    setInterval(send, ALIVE_MS).unref()
  }, START_MS).unref()
}

interface Health {
  /** Whether it plays, or rightly nothing. */
  plays: () => boolean
  hasSession: () => boolean
  onHealthy: () => void
}

/** Looks at the agent's health until it is complete. Returns a function that ends it. */
export function watchHealth({ plays, hasSession, onHealthy }: Health): () => void {
  let hasPlayed = false
  const timer = setInterval(() => {
    if (!hasPlayed && plays()) {
      hasPlayed = true
      sendSign('playing')
    }
    if (!hasPlayed || !hasSession()) return
    clearInterval(timer)
    onHealthy()
    sendSign('healthy')
  }, INTERVAL_MS)
  return () => clearInterval(timer)
}
