import { PublicationDraft, type PublicationCard } from '@floorcast/contract/publications.ts'
import { Alert } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { GroupChoice, PlaylistChoice } from './publication-choices.tsx'
import { publicationQueries, useAddPublication, useEditPublication } from './publications-data.ts'

interface Values extends Record<string, unknown> {
  name: string
  description: string
  groupUid: string
  playlistUid: string
  /** That of the opened form. The page behind it follows what others change. */
  version: number
}

const empty: Values = { name: '', description: '', groupUid: '', playlistUid: '', version: 0 }

interface PublicationFormProps {
  /** The publication to edit; without it the form adds one. */
  publication?: PublicationCard
  isOpen: boolean
  onClose: () => void
  onAdded?: (uid: string) => void
}

/**
 * Adds a publication, turned off, or edits one: its group and playlist only while it is off. A concurrent change is not
 * overwritten.
 */
export function PublicationForm(props: PublicationFormProps) {
  const { publication, isOpen, onClose, onAdded } = props
  const { t } = useTranslate()
  const { mutateAsync: add } = useAddPublication()
  const { mutateAsync: edit } = useEditPublication()
  const queries = useQueryClient()
  const isOff = !publication || publication.state === 'disabled'
  const save = async (values: Values) => {
    const draft = PublicationDraft.parse(values)
    const { name, description } = draft
    if (publication) {
      await edit({
        uid: publication.uid,
        version: values.version,
        ...(isOff ? draft : { name, description }),
      })
      void toast('success', t('publications:saved', { name }))
      return
    }
    const { kind } = await queries.ensureQueryData({
      ...publicationQueries.group(draft.groupUid),
      // What follows is a change: it does not wait for the line.
      networkMode: 'always',
    })
    const { uid } = await add({ ...draft, kind })
    void toast('success', t('publications:added', { name }))
    if (uid) onAdded?.(uid)
  }
  return (
    <SideForm
      isOpen={isOpen}
      title={publication ? t('publications:editTitle') : t('publications:add')}
      schema={PublicationDraft}
      initial={publication ? toValues(publication) : empty}
      onSave={save}
      onClose={onClose}
    >
      {form => (
        <>
          <NameFields form={form} />
          {isOff ? <PickFields form={form} /> : <Alert color="amber">{t('publications:offToEdit')}</Alert>}
        </>
      )}
    </SideForm>
  )
}

const toValues = ({ name, description, group, playlist, version }: PublicationCard): Values => ({
  name,
  description,
  groupUid: group.uid,
  playlistUid: playlist.uid,
  version,
})

/** The group and the playlist; a playlist that does not fit the group is not offered. */
function PickFields({ form }: { form: UseFormReturnType<Values> }) {
  const { data: group } = useQuery(publicationQueries.group(form.getValues().groupUid || null))
  return (
    <>
      <GroupChoice {...form.getInputProps('groupUid')} />
      <PlaylistChoice groupKind={group?.kind} {...form.getInputProps('playlistUid')} />
    </>
  )
}
