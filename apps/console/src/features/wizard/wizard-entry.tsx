import { CallError } from '@floorcast/contract/client.ts'
import type { AnswerOf } from '@floorcast/contract/endpoint.ts'
import { readPlaylistSource } from '@floorcast/contract/playlists.ts'
import type { SmartTrack } from '@floorcast/planner/smart-day.ts'
import { Button, Alert, Stack } from '@mantine/core'
import { IconEye, IconCopy } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../platform/client.ts'
import { useWords } from '../../platform/i18n.ts'
import { useNamedPage } from '../../platform/page-name.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange, useSignedInUser } from '../../platform/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { draftKey } from './saved-draft.ts'
import { emptyDraft, wholeDay, type WizardDraft } from './wizard-draft.ts'
import { Wizard, WizardSkeleton } from './wizard.tsx'

/** /media/wizard: a new smart playlist, with ?from= one that is planned again, with ?edit= the edited version of one. */
export function WizardEntry() {
  const { uid } = useSignedInUser()
  const [address] = useSearchParams()
  const mayChange = useMayChange()
  const [from, edit] = [address.get('from'), address.get('edit')]
  if (!mayChange) return <OnlyRead />
  if (from !== null) return <Replan key={from} playlist={from} user={uid} />
  if (edit !== null) return <EditSmart key={edit} playlist={edit} user={uid} />
  return <Wizard initial={emptyDraft} memory={draftKey(uid, null)} />
}

/** Who may not change anything is told before the first step, not after the last. */
function OnlyRead() {
  const { t } = useWords()
  return (
    <EmptyState
      icon={IconEye}
      title={t('wizard:onlyRead.title')}
      text={t('wizard:onlyRead.text')}
      action={
        <Button component={Link} to={paths.playlists} variant="default">
          {t('routes:playlists')}
        </Button>
      }
    />
  )
}

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

const same = (source: WizardDraft) => source

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

interface OfPlaylist {
  playlist: string
  user: string
}

/** Plans a playlist again: the wizard with what it was made of. */
function Replan({ playlist, user }: OfPlaylist) {
  return (
    <FromSource playlist={playlist}>
      {initial => <Wizard initial={initial} memory={draftKey(user, playlist)} />}
    </FromSource>
  )
}

/** Makes a new playlist of what one on the air was made of, to take its place; that one stays as it is. */
function EditSmart({ playlist, user }: OfPlaylist) {
  const { t } = useWords()
  const memory = draftKey(user, `edit.${playlist}`)
  const begin = (source: WizardDraft) => ({
    ...source,
    smartPlUid: null,
    smartPlName: copyName(source.smartPlName),
  })
  return (
    <FromSource playlist={playlist} begin={begin}>
      {(initial, source) => (
        <Stack gap="md">
          <Alert color="info" icon={<IconCopy size={20} aria-hidden />}>
            {t('wizard:editing', { name: source.smartPlName })}
          </Alert>
          <Wizard initial={initial} memory={memory} editOf={playlist} />
        </Stack>
      )}
    </FromSource>
  )
}

interface FromSourceProps {
  playlist: string
  /** What the wizard begins with; the source as it is unless told. */
  begin?: (source: WizardDraft) => WizardDraft
  children: (initial: WizardDraft, source: WizardDraft) => ReactNode
}

/** Reads once what a playlist was made of. */
function FromSource({ playlist, begin = same, children }: FromSourceProps) {
  const result = useQuery(sourceOf(playlist))
  const [read, keep] = useState<{ initial: WizardDraft; source: WizardDraft } | null>(null)
  if (read === null && result.data) keep({ initial: begin(result.data), source: result.data })
  useNamedPage(read?.source.smartPlName)
  if (read) return children(read.initial, read.source)
  if (result.isError) return <ErrorPanel error={result.error} retry={() => void result.refetch()} />
  return <WizardSkeleton />
}

const suffix = ' - copy'
const longest = 50

/** A copy's name, as the server makes it of the original's. */
function copyName(name: string): string {
  const kept = [...name].slice(0, longest - suffix.length).join('')
  return kept.trimEnd() + suffix
}
