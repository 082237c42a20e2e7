import type { AnswerOf } from '@floorcast/contract/endpoint.ts'
import { isAd } from '@floorcast/contract/media.ts'
import { readPlaylistSource } from '@floorcast/contract/playlists.ts'
import type { PlanInput } from '@floorcast/planner/plan-types.ts'
import {
  packDay,
  toSmartDay,
  type DaySummary,
  type SmartDay,
  type SmartTrack,
} from '@floorcast/planner/smart-day.ts'
import { summarize } from '@floorcast/planner/summary.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'

type Source = AnswerOf<typeof readPlaylistSource>

/** A stored day, as it was planned. */
export interface StoredDay {
  day: SmartDay
  summary: DaySummary
  isVideo: boolean
}

/** The day of a smart playlist, whole. */
export const smartDay = (id: string, version: number) =>
  queryOptions({
    queryKey: ['playlist', 'day', id, version],
    queryFn: async ({ signal }) => dayOf(await call(readPlaylistSource, { params: { id }, signal })),
  })

/** Null for a simple playlist. */
export function dayOf({ draft, tracks }: Pick<Source, 'draft' | 'tracks'>): StoredDay | null {
  if (!draft) return null
  const listOf = (wanted: boolean) =>
    tracks
      .filter(({ contentType }) => isAd(contentType) === wanted)
      .map(({ uid, name, weight, plannedSeconds: duration }): SmartTrack => ({ uid, name, weight, duration }))
  const [melList, adsList] = [listOf(false), listOf(true)]
  const { playlistType, finishList, ...settings } = draft
  const input: PlanInput = { ...settings, type: playlistType, melList, adsList }
  return {
    summary: summarize(finishList, input),
    isVideo: playlistType === 'video-smart',
    day: toSmartDay(packDay(finishList, input), { ...draft, melList, adsList }),
  }
}
