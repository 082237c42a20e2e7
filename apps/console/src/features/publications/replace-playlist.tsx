import { replacePublicationPlaylist, type PublicationCard } from '@floorcast/contract/publications.ts'
import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { publicationQueries, usePublicationReplace } from './publication-data.ts'
import { fittingPlaylists } from './publication-picks.ts'

interface ReplacePlaylistProps {
  publication: PublicationCard
  onClose: () => void
}

/** Lets a publication that is on, or waits, play another playlist without being turned off. */
export function ReplacePlaylist({ publication, onClose }: ReplacePlaylistProps) {
  const { t } = useTranslate()
  const { mutateAsync } = usePublicationReplace()
  const playlists = useQuery(publicationQueries.playlists())
  const { uid, state, group, playlist, kind } = publication
  const others = fittingPlaylists(playlists.data ?? [], kind).filter(
    other => other.state === 'active' && other.uid !== playlist.uid,
  )
  const save = async ({ playlistUid }: { playlistUid: string }) => {
    await mutateAsync({ uid, from: playlist.uid, playlistUid })
    const name = others.find(other => other.uid === playlistUid)?.name ?? ''
    void toast('success', t('publications:return.done', { name }))
  }
  const names = { group: group.name, playlist: playlist.name }
  return (
    <SideForm
      isOpen
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
          <Select
            label={t('publications:playlist')}
            placeholder={t('publications:choosePlaylist')}
            description={t('publications:replace.hint')}
            required
            searchable
            comboboxProps={{ withinPortal: false }}
            data={others.map(other => ({ value: other.uid, label: other.name }))}
            nothingFoundMessage={playlists.isPending ? t('loading') : t('publications:noPlaylist')}
            {...form.getInputProps('playlistUid')}
          />
        </>
      )}
    </SideForm>
  )
}
