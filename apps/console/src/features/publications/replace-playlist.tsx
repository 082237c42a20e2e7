import { replacePublicationPlaylist, type PublicationCard } from '@floorcast/contract/publications.ts'
import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { PlaylistChoice } from './publication-choices.tsx'
import { publicationQueries, useReplacePublicationPlaylist } from './publications-data.ts'

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
