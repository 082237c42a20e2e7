import { CallError } from '@floorcast/contract/client.ts'
import type { AnswerOf } from '@floorcast/contract/endpoint.ts'
import { readPlaylistSource } from '@floorcast/contract/playlists.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../platform/client.ts'
import { useNamedPage } from '../../../platform/page-name.ts'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import type { SmartTrack } from '../smart/smart-day.ts'
import { Wizard, WizardSkeleton } from './wizard.tsx'
import { wholeDay, type WizardDraft } from './wizard-draft.ts'
import { draftKey } from './wizard-memory.ts'

/** A smart playlist's source as the wizard takes it: its lists as the media are now. */
const sourceOf = (id: string) =>
  queryOptions({
    queryKey: ['playlist', 'source', id],
    // What was read is the wizard's to change: it is not read again under it.
    staleTime: Infinity,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<WizardDraft> => {
      const { draft, tracks } = await call(readPlaylistSource, { params: { id }, signal })
      if (!draft) throw new CallError(404, null)
      const names = new Map(tracks.map(({ uid, name }) => [uid, name]))
      const named = ({ uid, duration, weight = 1 }: SourceTrack): SmartTrack => ({
        uid,
        name: names.get(uid) ?? '',
        duration,
        weight,
      })
      return draftOf(draft, named)
    },
  })

type Source = NonNullable<AnswerOf<typeof readPlaylistSource>['draft']>
type SourceTrack = Source['melList'][number]

function draftOf(source: Source, named: (track: SourceTrack) => SmartTrack): WizardDraft {
  const { playlistType, startDay, endDay, melTime, adsTime, melMode, adsMode, crossfade, seed } = source
  return {
    playlistType,
    step: 'check',
    reached: 3,
    isRoundTheClock: startDay === wholeDay.startDay && endDay === wholeDay.endDay,
    startDay,
    endDay,
    melTime,
    adsTime,
    melMode,
    adsMode,
    melList: source.melList.map(named),
    adsList: source.adsList.map(named),
    crossfade,
    seed,
    smartPlUid: source.smartPlUid,
    version: source.version ?? null,
    smartPlName: source.smartPlName,
    smartPlDescr: source.smartPlDescr,
  }
}

/** Plans a playlist again: the wizard with what it was made of. */
export function Replan({ playlist, user }: { playlist: string; user: string }) {
  const result = useQuery(sourceOf(playlist))
  const [initial, keep] = useState<WizardDraft | null>(null)
  if (initial === null && result.data) keep(result.data)
  useNamedPage(initial?.smartPlName)
  if (initial) return <Wizard initial={initial} memory={draftKey(user, playlist)} />
  if (result.isError) return <ErrorPanel error={result.error} retry={() => void result.refetch()} />
  return <WizardSkeleton />
}
