import type { Reference } from '@floorcast/contract/fields.ts'
import type { PlaylistCard } from '@floorcast/contract/playlists.ts'
import type { PublicationRow } from '@floorcast/contract/publications.ts'
import { Alert, Button, Checkbox, Group, List, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { describeFailure } from '../../platform/outcomes.ts'
import { toast } from '../../platform/toasts.ts'
import { useFrozen } from '../../platform/use-frozen.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { playlistQueries } from './playlists-data.ts'
import styles from './playlists.module.css'
import { type FailedReplacement, useReplacement } from './replace-data.ts'

interface ReplaceDialogProps {
  playlist: Pick<PlaylistCard, 'uid' | 'name' | 'state'>
  /** The playlist on the air now. */
  former: z.infer<typeof Reference>
  onClose: () => void
}

/** Lists the publications and groups that change, then replaces the playlist on the air there by its edited copy. */
export function ReplaceDialog({ playlist, former, onClose }: ReplaceDialogProps) {
  const { t } = useTranslate()
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set())
  const result = useQuery(playlistQueries.publications(former.uid))
  const { failure, failed, isBusy, replace } = useReplaceWithUndo({ playlist, former, onClose })
  const { publications, state } = useFrozen({ publications: result.data, state: playlist.state }, isBusy)
  const chosen = onAirOf(publications).filter(({ uid }) => !excluded.has(uid))
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
        {state === 'paused' && <Text>{t('playlists:replace.activates', names)}</Text>}
        {result.isPending && <Skeleton height={80} aria-busy />}
        {result.isError && !publications && (
          <ErrorPanel error={result.error} retry={() => void result.refetch()} />
        )}
        {publications && (
          <PublicationChoices
            publications={publications}
            former={former.name}
            excluded={excluded}
            onChange={setExcluded}
          />
        )}
        <Failures failure={failure} failed={failed} />
        <Group justify="flex-end" gap="xs">
          {/* Focused first: Enter pressed by reflex must not put anything on the air. */}
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

interface PublicationChoicesProps {
  publications: readonly PublicationRow[]
  former: string
  /** Uids of those that keep their playlist. */
  excluded: ReadonlySet<string>
  onChange: (excluded: ReadonlySet<string>) => void
}

/** A checkbox for each publication that is on the air or scheduled, and the number of those that are off. */
function PublicationChoices({ publications, former, excluded, onChange }: PublicationChoicesProps) {
  const { t } = useTranslate()
  const onAir = onAirOf(publications)
  const off = publications.length - onAir.length
  const choose = (uid: string, isChosen: boolean) => {
    const next = new Set(excluded)
    if (isChosen) next.delete(uid)
    else next.add(uid)
    onChange(next)
  }
  return (
    <>
      {onAir.length === 0 && <Text c="dimmed">{t('playlists:replace.notOnAir', { former })}</Text>}
      {onAir.length > 0 && (
        <fieldset className={styles.publications}>
          <legend>
            {t('playlists:replace.where', { count: onAir.filter(({ uid }) => !excluded.has(uid)).length })}
          </legend>
          {onAir.map(publication => (
            <PublicationChoice
              key={publication.uid}
              publication={publication}
              isChosen={!excluded.has(publication.uid)}
              onChange={isChosen => choose(publication.uid, isChosen)}
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
  onChange: (isChosen: boolean) => void
}

function PublicationChoice({ publication, isChosen, onChange }: PublicationChoiceProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const { name, group, readiness, startsAt, state } = publication
  const where = t('playlists:replace.group', { group: group.name, count: readiness?.devices ?? 0 })
  const starts =
    state === 'delayed' && startsAt
      ? t('playlists:replace.startsAt', { moment: format.dateTime(startsAt) })
      : null
  return (
    <Checkbox
      checked={isChosen}
      onChange={event => onChange(event.currentTarget.checked)}
      label={<bdi>{name}</bdi>}
      description={starts === null ? where : `${where} · ${starts}`}
    />
  )
}

/** The reasons: of the whole, or of single publications; the others stay replaced. */
function Failures({ failure, failed }: { failure: unknown; failed: readonly FailedReplacement[] }) {
  const { t } = useTranslate()
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

/** Replaces, offers undo in a toast, and closes the dialog unless something failed. */
function useReplaceWithUndo({ playlist, former, onClose }: ReplaceDialogProps) {
  const { t } = useTranslate()
  const { replace, undoReplace } = useReplacement()
  const [failure, setFailure] = useState<unknown>(null)
  const [failed, setFailed] = useState<readonly FailedReplacement[]>([])
  const [isBusy, setIsBusy] = useState(false)
  const undo = async (publications: readonly PublicationRow[]) => {
    const result = await undoReplace(playlist.uid, publications)
    const count = result.done.length
    if (count > 0) void toast('success', t('playlists:replace.undone', { count, name: former.name }))
    for (const { publication, error } of result.failed) {
      const why = describeFailure(t, error, 'publication')
      void toast('danger', t('playlists:replace.failed', { name: publication.name, why }))
    }
  }
  const offerUndo = (done: readonly PublicationRow[]) => {
    const action = { label: t('undo'), run: () => void undo(done) }
    const values = { count: done.length, name: playlist.name }
    void toast('success', t('playlists:replace.done', values), { action })
  }
  const run = async (publications: readonly PublicationRow[]) => {
    setIsBusy(true)
    setFailure(null)
    setFailed([])
    try {
      const result = await replace(playlist, publications)
      if (result.done.length > 0) offerUndo(result.done)
      if (result.failed.length === 0) return onClose()
      setFailed(result.failed)
    } catch (error) {
      setFailure(error)
    } finally {
      setIsBusy(false)
    }
  }
  return { failure, failed, isBusy, replace: run }
}
