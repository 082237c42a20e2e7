import { CallError } from '@floorcast/contract/client.ts'
import type { AnswerOf } from '@floorcast/contract/endpoint.ts'
import { copyName } from '@floorcast/contract/names.ts'
import { readPlaylistSource } from '@floorcast/contract/playlists.ts'
import type { SmartTrack } from '@floorcast/planner/smart-day.ts'
import { Button, Alert, Stack } from '@mantine/core'
import { IconEye, IconCopy } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { useNamedPage } from '../../platform/page-name.ts'
import { paths } from '../../platform/paths.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useMayChange, useSignedInUser } from '../../platform/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { draftKey } from './saved-draft.ts'
import { emptyDraft, wholeDay, type WizardDraft } from './wizard-draft.ts'
import { Wizard, WizardSkeleton } from './wizard.tsx'

/** A new smart playlist, or by the address one that is planned again (`?from=`) or edited as a copy (`?edit=`). */
export function WizardEntry() {
  const { uid } = useSignedInUser()
  const [address] = useSearchParams()
  const mayChange = useMayChange()
  const [from, edit] = [address.get('from'), address.get('edit')]
  if (!mayChange) return <ViewOnly />
  if (from !== null) return <PlanAgain key={from} playlist={from} user={uid} />
  if (edit !== null) return <EditOnAir key={edit} playlist={edit} user={uid} />
  return <Wizard initial={emptyDraft} draftKey={draftKey(uid, null)} />
}

/** Tells users with view-only access before the first step, not after the last. */
function ViewOnly() {
  const { t } = useTranslate()
  return (
    <EmptyState
      icon={IconEye}
      title={t('wizard:viewOnly.title')}
      text={t('wizard:viewOnly.text')}
      action={
        <Button component={Link} to={paths.playlists} variant="default">
          {t('routes:playlists')}
        </Button>
      }
    />
  )
}

/** The source of a smart playlist as a draft; its lists have the present media. */
const playlistSource = (id: string) =>
  queryOptions({
    queryKey: queryKeys.playlists.source(id),
    // The user changes it in the wizard: it must not be fetched again meanwhile.
    staleTime: 'static',
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
      return toDraft(draft, named)
    },
  })

const unchanged = (source: WizardDraft) => source

type Source = NonNullable<AnswerOf<typeof readPlaylistSource>['draft']>
type SourceTrack = Source['melList'][number]

function toDraft(source: Source, named: (track: SourceTrack) => SmartTrack): WizardDraft {
  const { playlistType, startDay, endDay, melTime, adsTime, melMode, adsMode } = source
  const { crossfade, minAdGap, seed } = source
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
    minAdGap,
    seed,
    smartPlUid: source.smartPlUid,
    version: source.version ?? null,
    smartPlName: source.smartPlName,
    smartPlDescr: source.smartPlDescr,
  }
}

interface PlaylistProps {
  playlist: string
  user: string
}

/** Plans a playlist again from its source. */
function PlanAgain({ playlist, user }: PlaylistProps) {
  return (
    <FromSource playlist={playlist}>
      {initial => <Wizard initial={initial} draftKey={draftKey(user, playlist)} />}
    </FromSource>
  )
}

/** Makes a new playlist from the source of one on the air, to replace it; the original stays as it is. */
function EditOnAir({ playlist, user }: PlaylistProps) {
  const { t } = useTranslate()
  const key = draftKey(user, `edit.${playlist}`)
  const toInitial = (source: WizardDraft) => ({
    ...source,
    smartPlUid: null,
    smartPlName: copyName(source.smartPlName),
  })
  return (
    <FromSource playlist={playlist} toInitial={toInitial}>
      {(initial, source) => (
        <Stack gap="md">
          <Alert color="info" icon={<IconCopy size={20} aria-hidden />}>
            {t('wizard:editing', { name: source.smartPlName })}
          </Alert>
          <Wizard initial={initial} draftKey={key} editOf={playlist} />
        </Stack>
      )}
    </FromSource>
  )
}

interface FromSourceProps {
  playlist: string
  /** Makes the initial draft; the source itself by default. */
  toInitial?: (source: WizardDraft) => WizardDraft
  children: (initial: WizardDraft, source: WizardDraft) => ReactNode
}

/** Loads the source of a playlist once. */
function FromSource({ playlist, toInitial = unchanged, children }: FromSourceProps) {
  const result = useQuery(playlistSource(playlist))
  const [loaded, setLoaded] = useState<{ initial: WizardDraft; source: WizardDraft } | null>(null)
  if (loaded === null && result.data) setLoaded({ initial: toInitial(result.data), source: result.data })
  useNamedPage(loaded?.source.smartPlName)
  if (loaded) return children(loaded.initial, loaded.source)
  if (result.isError) return <ErrorPanel error={result.error} retry={() => void result.refetch()} />
  return <WizardSkeleton />
}
