import type { Reference } from '@floorcast/contract/fields.ts'
import type { PlaylistCard } from '@floorcast/contract/playlists.ts'
import type { PublicationRow } from '@floorcast/contract/publications.ts'
import { Alert, Button, Checkbox, Group, List, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { describeFailure } from '../../platform/outcomes.ts'
import { toast } from '../../platform/toasts.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { playlistQueries } from './playlist-data.ts'
import styles from './playlists.module.css'
import { type Unchanged, useReplace } from './replace-data.ts'

interface ReplaceDialogProps {
  playlist: Pick<PlaylistCard, 'uid' | 'name' | 'state'>
  /** What is on the air now. */
  former: z.infer<typeof Reference>
  onClose: () => void
}

/** Says which publications and groups change, then puts an edited version in the place of what is on the air there. */
export function ReplaceDialog({ playlist, former, onClose }: ReplaceDialogProps) {
  const { t } = useWords()
  const [kept, keep] = useState<ReadonlySet<string>>(new Set())
  const result = useQuery(playlistQueries.publications(former.uid))
  const chosen = onAirOf(result.data).filter(({ uid }) => !kept.has(uid))
  const { failure, failed, isBusy, replace } = useReplaceDialog({ playlist, former, onClose })
  const names = { name: playlist.name, former: former.name }
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={t('playlists:replace.title', names)}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="md">
        <Text>{t('playlists:replace.text', names)}</Text>
        {playlist.state === 'paused' && <Text>{t('playlists:replace.activates', names)}</Text>}
        {result.isPending && <Skeleton height={80} aria-busy />}
        {result.isError && !result.data && (
          <ErrorPanel error={result.error} retry={() => void result.refetch()} />
        )}
        {result.data && <Where publications={result.data} former={former.name} kept={kept} keep={keep} />}
        <Failures failure={failure} failed={failed} />
        <Group justify="flex-end" gap="xs">
          {/* Enter by reflex must not put anything on the air. */}
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('playlists:replace.later')}
          </Button>
          <Button disabled={chosen.length === 0} loading={isBusy} onClick={() => void replace(chosen)}>
            {t('playlists:replace.run', { count: chosen.length })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const onAirOf = (publications: readonly PublicationRow[] = []) =>
  publications.filter(({ state }) => state !== 'disabled')

interface WhereProps {
  publications: readonly PublicationRow[]
  former: string
  /** Those that keep what they play. */
  kept: ReadonlySet<string>
  keep: (kept: ReadonlySet<string>) => void
}

/** What is on the air or waits, each to be chosen; of what is off, how many. */
function Where({ publications, former, kept, keep }: WhereProps) {
  const { t } = useWords()
  const onAir = onAirOf(publications)
  const off = publications.length - onAir.length
  const choose = (uid: string, isChosen: boolean) => {
    const next = new Set(kept)
    if (isChosen) next.delete(uid)
    else next.add(uid)
    keep(next)
  }
  return (
    <>
      {onAir.length === 0 && <Text c="dimmed">{t('playlists:replace.nowhere', { former })}</Text>}
      {onAir.length > 0 && (
        <fieldset className={styles.publications}>
          <legend>
            {t('playlists:replace.where', { count: onAir.filter(({ uid }) => !kept.has(uid)).length })}
          </legend>
          {onAir.map(publication => (
            <PublicationChoice
              key={publication.uid}
              publication={publication}
              isChosen={!kept.has(publication.uid)}
              choose={isChosen => choose(publication.uid, isChosen)}
            />
          ))}
        </fieldset>
      )}
      {off > 0 && (
        <Text c="dimmed" size="sm">
          {t('playlists:replace.off', { count: off, former })}
        </Text>
      )}
    </>
  )
}

interface PublicationChoiceProps {
  publication: PublicationRow
  isChosen: boolean
  choose: (isChosen: boolean) => void
}

function PublicationChoice({ publication, isChosen, choose }: PublicationChoiceProps) {
  const { t } = useWords()
  const format = useFormat()
  const { name, group, readiness, startsAt, state } = publication
  const where = t('playlists:replace.group', { group: group.name, count: readiness?.devices ?? 0 })
  const starts =
    state === 'delayed' && startsAt
      ? t('playlists:replace.waits', { moment: format.dateTime(startsAt) })
      : null
  return (
    <Checkbox
      checked={isChosen}
      onChange={event => choose(event.currentTarget.checked)}
      label={<bdi>{name}</bdi>}
      description={starts === null ? where : `${where} · ${starts}`}
    />
  )
}

/** Why it could not be done, or where not; what was done stays done. */
function Failures({ failure, failed }: { failure: unknown; failed: readonly Unchanged[] }) {
  const { t } = useWords()
  if (failure === null && failed.length === 0) return null
  return (
    <Alert color="red" role="alert">
      {failure !== null && describeFailure(t, failure, 'playlist')}
      {failed.length > 0 && (
        <List size="sm">
          {failed.map(({ publication: { uid, name }, error }) => (
            <List.Item key={uid}>
              {t('playlists:replace.failed', { name, why: describeFailure(t, error, 'publication') })}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  )
}

interface Replacing {
  playlist: Pick<PlaylistCard, 'uid' | 'name' | 'state'>
  former: { name: string }
  onClose: () => void
}

/** Replaces, tells of it with a way back, and keeps what failed. */
function useReplaceDialog({ playlist, former, onClose }: Replacing) {
  const { t } = useWords()
  const { replace, goBack } = useReplace()
  const [failure, fail] = useState<unknown>(null)
  const [failed, keepFailed] = useState<readonly Unchanged[]>([])
  const [isBusy, setBusy] = useState(false)
  const undo = async (publications: readonly PublicationRow[]) => {
    const { done, failed: kept } = await goBack(playlist.uid, publications)
    if (done.length > 0)
      void toast('success', t('playlists:replace.undone', { count: done.length, name: former.name }))
    for (const { publication, error } of kept) {
      const why = describeFailure(t, error, 'publication')
      void toast('danger', t('playlists:replace.failed', { name: publication.name, why }))
    }
  }
  const tell = (done: readonly PublicationRow[]) => {
    const run = () => void undo(done)
    const action = { label: t('undo'), run }
    void toast('success', t('playlists:replace.done', { count: done.length, name: playlist.name }), {
      action,
    })
  }
  const run = async (publications: readonly PublicationRow[]) => {
    setBusy(true)
    fail(null)
    keepFailed([])
    try {
      const changed = await replace(playlist, publications)
      if (changed.done.length > 0) tell(changed.done)
      if (changed.failed.length === 0) return onClose()
      keepFailed(changed.failed)
    } catch (error) {
      fail(error)
    } finally {
      setBusy(false)
    }
  }
  return { failure, failed, isBusy, replace: run }
}
