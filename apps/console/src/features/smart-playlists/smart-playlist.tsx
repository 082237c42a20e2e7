import type { AnswerOf } from '@floorcast/contract/endpoint.ts'
import { isAd } from '@floorcast/contract/media.ts'
import { type PlaylistWithTracks, readPlaylistSource } from '@floorcast/contract/playlists.ts'
import type { PlanInput } from '@floorcast/planner/plan-types.ts'
import {
  packDay,
  toSmartDay,
  type DaySummary,
  type SmartDay,
  type SmartTrack,
} from '@floorcast/planner/smart-day.ts'
import { summarize } from '@floorcast/planner/summary.ts'
import { Alert, List, Skeleton } from '@mantine/core'
import { useQuery, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { DayView } from './day-view.tsx'

type Source = AnswerOf<typeof readPlaylistSource>

/** The day of a smart playlist as it was planned. */
interface StoredDay {
  day: SmartDay
  summary: DaySummary
  minAdGap: number
  isVideo: boolean
}

const smartDay = (id: string, version: number) =>
  queryOptions({
    queryKey: queryKeys.playlists.smartDay(id, version),
    queryFn: async ({ signal }) => toStoredDay(await call(readPlaylistSource, { params: { id }, signal })),
  })

/** Null for a simple playlist. */
function toStoredDay({ draft, tracks }: Pick<Source, 'draft' | 'tracks'>): StoredDay | null {
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
    minAdGap: draft.minAdGap,
    isVideo: playlistType === 'video-smart',
    day: toSmartDay(packDay(finishList, input), { ...draft, melList, adsList }),
  }
}

/** The planned day of a smart playlist, and the media that have changed since. */
export function SmartPlaylist({ playlist }: { playlist: PlaylistWithTracks }) {
  const result = useQuery(smartDay(playlist.uid, playlist.version))
  const { data } = result
  return (
    <>
      <ChangedMedia playlist={playlist} />
      {data && <DayView {...data} />}
      {result.isPending && <Skeleton height={240} aria-busy />}
      {result.isError && !data && <ErrorPanel error={result.error} retry={() => void result.refetch()} />}
    </>
  )
}

/** Lists media that differ from those of the plan. */
function ChangedMedia({ playlist }: { playlist: PlaylistWithTracks }) {
  const { t } = useTranslate()
  const format = useFormat()
  const changed = playlist.smart?.changedMedia ?? []
  if (changed.length === 0) return null
  return (
    <Alert color="amber" title={t('playlists:smart.changed', { count: changed.length })}>
      <List size="sm">
        {changed.map(({ uid, name, isInBin, plannedSeconds, durationSeconds }) => (
          <List.Item key={uid}>
            {isInBin
              ? t('playlists:smart.inBin', { name })
              : t('playlists:smart.replaced', {
                  name,
                  before: format.span(plannedSeconds),
                  after: format.span(durationSeconds),
                })}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
