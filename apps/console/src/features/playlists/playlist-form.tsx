import type { PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { useWords } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { usePlaylistEdit } from './playlist-data.ts'
import { PlaylistValues } from './playlist-values.ts'

/** Name, description, dates and crossfade of a paused playlist. */
export function PlaylistForm({ playlist, onClose }: { playlist: PlaylistWithTracks; onClose: () => void }) {
  const { t } = useWords()
  const { mutateAsync } = usePlaylistEdit()
  const { uid, name, description, startDate, endDate, crossfadeSeconds, version } = playlist
  const initial: PlaylistValues = {
    uid,
    name,
    description,
    startDate: startDate ?? '',
    endDate: endDate ?? '',
    crossfadeSeconds,
    version,
  }
  const save = async (values: PlaylistValues) => {
    await mutateAsync(PlaylistValues.parse(values))
    void toast('success', t('playlists:saved', { name: values.name.trim() }))
  }
  return (
    <SideForm
      isOpen
      title={t('playlists:settings')}
      schema={PlaylistValues}
      initial={initial}
      onSave={save}
      onClose={onClose}
    >
      {form => (
        <>
          <NameFields form={form} />
          <SimpleGrid cols={2}>
            <TextInput type="date" label={t('playlists:startDate')} {...form.getInputProps('startDate')} />
            <TextInput type="date" label={t('playlists:endDate')} {...form.getInputProps('endDate')} />
          </SimpleGrid>
          {/* A smart one's is part of its plan. */}
          {playlist.form === 'simple' && (
            <NumberInput
              clampBehavior="none"
              label={t('playlists:crossfadeSeconds')}
              description={t('playlists:crossfadeHint')}
              min={0}
              max={10}
              step={0.5}
              decimalScale={1}
              {...form.getInputProps('crossfadeSeconds')}
            />
          )}
        </>
      )}
    </SideForm>
  )
}
