import { PlaylistChange } from '@floorcast/contract/playlists.ts'
import { z } from 'zod'

/** What stands in the fields of a playlist's form; an empty date is no limit. */
export type PlaylistValues = {
  uid: string
  name: string
  description: string
  startDate: string
  endDate: string
  crossfadeSeconds: number
  version: number
}

const dates = ['startDate', 'endDate'] as const

/** A playlist's form by the server's own rules. */
export const PlaylistValues = z.preprocess(values => {
  if (typeof values !== 'object' || values === null) return values
  const next: Record<string, unknown> = { ...values }
  for (const date of dates) if (next[date] === '') next[date] = null
  return next
}, PlaylistChange)
