import { PublicationDraft, type PublicationCard } from '@floorcast/contract/publications.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
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
}

/** The options belong to the form: outside of it they would be outside of every landmark. */
const inForm = { withinPortal: false }
const empty: Values = { name: '', description: '', groupUid: '', playlistUid: '' }

/** Binds a playlist to a group, turned off. @param onAdded the new one's page comes next */
export function AddPublicationForm(props: {
  isOpen: boolean
  /** The playlist that is chosen at first. */
  playlistUid: string
  onClose: () => void
  onAdded: (uid: string) => void
}) {
  const { t } = useTranslate()
  const { mutateAsync } = usePublicationAdd()
  const groups = useQuery({ ...publicationQueries.groups(), enabled: props.isOpen })
  const save = async (values: Values) => {
    const kind: Kind = groups.data?.find(({ uid }) => uid === values.groupUid)?.kind ?? 'audio'
    const { uid } = await mutateAsync({ ...PublicationDraft.parse(values), kind })
    void toast('success', t('publications:added', { name: values.name.trim() }))
    if (uid) props.onAdded(uid)
  }
  return (
    <SideForm
      isOpen={props.isOpen}
      title={t('publications:add')}
      schema={PublicationDraft}
      initial={{ ...empty, playlistUid: props.playlistUid }}
      onSave={save}
      onClose={props.onClose}
    >
      {form => (
        <>
          <NameFields form={form} />
          <PickFields form={form} />
        </>
      )}
    </SideForm>
  )
}

/** Changes a publication: its group and playlist only while it is off. */
export function EditPublicationForm({
  publication,
  onClose,
}: {
  publication: PublicationCard
  onClose: () => void
}) {
  const { t } = useTranslate()
  const { mutateAsync } = usePublicationEdit()
  const { uid, version, state } = publication
  const isOff = state === 'disabled'
  const initial: Values = {
    name: publication.name,
    description: publication.description,
    groupUid: publication.group.uid,
    playlistUid: publication.playlist.uid,
  }
  const save = async (values: Values) => {
    const { name, description, ...picks } = PublicationDraft.parse(values)
    await mutateAsync({ uid, version, name, description, ...(isOff ? picks : {}) })
    void toast('success', t('publications:saved', { name }))
  }
  return (
    <SideForm
      isOpen
      title={t('publications:editTitle')}
      schema={PublicationDraft}
      initial={initial}
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
