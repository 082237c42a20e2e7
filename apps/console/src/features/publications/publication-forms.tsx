import {
  PublicationDraft,
  type PublicationCard,
  listPublications,
  readPublication,
  type PublicationRow,
  replacePublicationPlaylist,
} from '@floorcast/contract/publications.ts'
import { Alert, Text, Button, Group, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { z } from 'zod'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { toast } from '../../platform/toasts.ts'
import { DuplicateDialog } from '../../ui/duplicate/duplicate-dialog.tsx'
import { Modal } from '../../ui/overlay/overlays.tsx'
import { ItemForm, type ItemFormProps, valuesOf } from '../../ui/side-form/item-form.tsx'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { GroupChoice, PlaylistChoice } from './publication-choices.tsx'
import { PublicationRefused } from './publication-refused.tsx'
import { readStart, startFieldsOf } from './publication-start.ts'
import {
  publicationQueries,
  useAddPublication,
  useEditPublication,
  useReplacePublicationPlaylist,
  useDelayPublication,
} from './publications-data.ts'
import { faultOfStart, StartFields, suggestStart } from './start-fields.tsx'

const Values = PublicationDraft.extend({ version: z.int() })
type FormValues = z.infer<typeof Values>

const blank: FormValues = { name: '', description: '', groupUid: '', playlistUid: '', version: 0 }

/**
 * Adds a publication, turned off, or edits one: its group and playlist only while it is off. A concurrent change is not
 * overwritten.
 */
export function PublicationForm(props: ItemFormProps<PublicationCard>) {
  const { t } = useTranslate()
  const { mutateAsync } = useAddPublication()
  const { mutateAsync: edit } = useEditPublication()
  const queries = useQueryClient()
  const { item } = props
  const isOff = !item || item.state === 'disabled'
  const add = async (values: FormValues) => {
    const draft = PublicationDraft.parse(values)
    const { kind } = await queries.ensureQueryData({
      ...publicationQueries.group(draft.groupUid),
      // What follows is a change: it does not wait for the line.
      networkMode: 'always',
    })
    return mutateAsync({ ...draft, contentType: kind })
  }
  return (
    <ItemForm
      {...props}
      title={t(item ? 'publications:editTitle' : 'publications:add')}
      schema={Values}
      initial={valuesOf(blank, item && { ...item, groupUid: item.group.uid, playlistUid: item.playlist.uid })}
      add={add}
      edit={({ groupUid, playlistUid, ...draft }, { uid }) =>
        edit({ uid, ...draft, ...(isOff && { groupUid, playlistUid }) })
      }
      addedText={({ name }) => t('publications:added', { name })}
      savedText={({ name }) => t('publications:saved', { name })}
    >
      {form => (
        <>
          <NameFields form={form} />
          {isOff ? <PickFields form={form} /> : <Alert color="amber">{t('publications:offToEdit')}</Alert>}
        </>
      )}
    </ItemForm>
  )
}

/** The group and the playlist; a playlist that does not fit the group is not offered. */
function PickFields({ form }: { form: UseFormReturnType<FormValues> }) {
  const { data: group } = useQuery(publicationQueries.group(form.getValues().groupUid || null))
  return (
    <>
      <GroupChoice {...form.getInputProps('groupUid')} />
      <PlaylistChoice groupKind={group?.kind} {...form.getInputProps('playlistUid')} />
    </>
  )
}

/** Adds a publication of the same playlist to the same group, turned off. */
export function DuplicatePublication({
  publication,
  onClose,
}: {
  publication: PublicationRow
  onClose: () => void
}) {
  const { t } = useTranslate()
  const { mutateAsync: add } = useAddPublication()
  const copy = async (name: string) => {
    const { kind, description, group, playlist } = await call(readPublication, {
      params: { id: publication.uid },
    })
    return add({ contentType: kind, name, description, groupUid: group.uid, playlistUid: playlist.uid })
  }
  return (
    <DuplicateDialog
      noun="publication"
      name={publication.name}
      text={t('publications:copyHas')}
      find={(query, signal) => call(listPublications, { params: { x: 'all' }, query, signal })}
      make={async name => (await copy(name)).uid ?? ''}
      to={paths.publication}
      onClose={onClose}
    />
  )
}

interface ReplacePlaylistProps {
  publication: PublicationCard
  onClose: () => void
}

/** Lets a publication that is on, or waits, play another playlist without being turned off. */
export function ReplacePlaylist({ publication, onClose }: ReplacePlaylistProps) {
  const { t } = useTranslate()
  const { mutateAsync } = useReplacePublicationPlaylist()
  const queries = useQueryClient()
  const { uid, state, group, playlist, kind } = publication
  const save = async ({ playlistUid }: { playlistUid: string }) => {
    await mutateAsync({ uid, from: playlist.uid, playlistUid })
    const { name } = await queries.ensureQueryData(publicationQueries.playlist(playlistUid))
    void toast('success', t('publications:return.done', { name }))
  }
  const names = { group: group.name, playlist: playlist.name }
  return (
    <SideForm
      title={t('publications:replace.title')}
      schema={replacePublicationPlaylist.body}
      initial={{ playlistUid: '' }}
      saveLabel={t('publications:replace.confirm')}
      onSave={save}
      onClose={onClose}
    >
      {form => (
        <>
          <Text>
            {t(state === 'delayed' ? 'publications:replace.delayed' : 'publications:replace.active', names)}
          </Text>
          <PlaylistChoice
            groupKind={kind}
            state="active"
            except={playlist.uid}
            description={t('publications:replace.hint')}
            {...form.getInputProps('playlistUid')}
          />
        </>
      )}
    </SideForm>
  )
}

function useDelay(publication: PublicationCard, onClose: () => void) {
  const { t } = useTranslate()
  const { mutate, isPending, error } = useDelayPublication()
  const { startsAt } = publication
  const [values, setValues] = useState(() => (startsAt === null ? suggestStart() : startFieldsOf(startsAt)))
  const [fault, setFault] = useState<'wrong' | 'past' | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const startdatetime = readStart(values.field, values.clock)
    const broken = faultOfStart(values)
    setFault(broken)
    if (broken !== null || startdatetime === null) return
    const done = (_: unknown, isShown: boolean) => {
      void toast('success', t('publications:delaySaved', { name: publication.name }))
      if (isShown) onClose()
    }
    mutate({ uid: publication.uid, startdatetime }, { onSuccess: done })
  }
  return { values, setValues, fault, submit, isPending, error }
}

/** Picks the moment at which a publication starts; of a scheduled one it begins with the present moment. */
export function DelayDialog({ publication, onClose }: { publication: PublicationCard; onClose: () => void }) {
  const { t } = useTranslate()
  const { values, setValues, fault, submit, isPending, error } = useDelay(publication, onClose)
  const isScheduled = publication.state === 'delayed'
  return (
    <Modal
      opened
      onClose={onClose}
      title={isScheduled ? t('publish:reschedule') : t('publish:schedule')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <StartFields values={values} onChange={setValues} fault={fault} />
          {error && <PublicationRefused error={error} publication={publication} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={isPending}>
              {isScheduled ? t('publish:reschedule') : t('publish:schedule')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

export { BulkPublications } from './bulk-publications.tsx'
