import { PublicationDraft, type PublicationCard } from '@floorcast/contract/publications.ts'
import type { EditState } from '@floorcast/contract/groups.ts'
import { Alert, Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { publicationQueries, usePublicationAdd, usePublicationEdit } from './publication-data.ts'
import { fittingPlaylists, type Pick } from './publication-picks.ts'

interface Values extends Record<string, unknown> {
  name: string
  description: string
  groupUid: string
  playlistUid: string
  /** That of the opened form. The page behind it follows what others change. */
  version: number
}

/** The options belong to the form: outside of it they would be outside of every landmark. */
const inForm = { withinPortal: false }
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
  const { mutateAsync: add } = usePublicationAdd()
  const { mutateAsync: edit } = usePublicationEdit()
  const groups = useQuery({ ...publicationQueries.groups(), enabled: isOpen })
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
    const kind = groups.data?.find(({ uid }) => uid === draft.groupUid)?.kind ?? 'audio'
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

/** The group and the playlist, from what may be picked; a playlist that does not fit the group is not offered. */
function PickFields({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslate()
  const groups = useQuery(publicationQueries.groups())
  const playlists = useQuery(publicationQueries.playlists())
  const group = groups.data?.find(({ uid }) => uid === form.getValues().groupUid)
  const fitting = fittingPlaylists(playlists.data ?? [], group?.kind)
  return (
    <>
      <Select
        label={t('publications:group')}
        placeholder={t('publications:chooseGroup')}
        required
        searchable
        comboboxProps={inForm}
        data={options(t, groups.data ?? [])}
        nothingFoundMessage={groups.isPending ? t('loading') : t('publications:noGroup')}
        {...form.getInputProps('groupUid')}
      />
      <Select
        label={t('publications:playlist')}
        placeholder={t('publications:choosePlaylist')}
        required
        searchable
        comboboxProps={inForm}
        data={options(t, fitting)}
        nothingFoundMessage={playlists.isPending ? t('loading') : t('publications:noPlaylist')}
        {...form.getInputProps('playlistUid')}
      />
    </>
  )
}

const stateLabel = (t: Translate, state: EditState) => t(`states.${state}`)

const options = (t: Translate, picks: readonly Pick[]) =>
  picks.map(({ uid, name, kind, state }) => ({
    value: uid,
    label: `${name} · ${t(`kinds.${kind}`)} · ${stateLabel(t, state)}`,
  }))
