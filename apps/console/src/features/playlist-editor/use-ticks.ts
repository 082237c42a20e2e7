import { useState } from 'react'

export interface Ticks {
  /** In the order of the ticks. */
  ticked: readonly string[]
  /** @param isRange also the rows since the last tick */
  toggle: (uid: string, isRange: boolean) => void
  clear: () => void
}

/** The rows that are ticked, in the order of the ticks; they stay over searches. */
export function useTicks(rows: readonly { uid: string }[]): Ticks {
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [last, setLast] = useState<string | null>(null)
  const toggle = (uid: string, isRange: boolean) => {
    setLast(uid)
    if (ticked.includes(uid)) return setTicked(ticked.filter(other => other !== uid))
    const place = rows.findIndex(row => row.uid === uid)
    const from = isRange ? rows.findIndex(row => row.uid === last) : -1
    const range = from < 0 ? [uid] : rowsBetween(rows, from, place)
    setTicked([...ticked, ...range.filter(added => !ticked.includes(added))])
  }
  return { ticked, toggle, clear: () => setTicked([]) }
}

/** The uids from one row to another, both included. */
const rowsBetween = (rows: readonly { uid: string }[], one: number, other: number) =>
  rows.slice(Math.min(one, other), Math.max(one, other) + 1).map(({ uid }) => uid)
