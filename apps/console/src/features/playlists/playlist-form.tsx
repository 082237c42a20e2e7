import { Kind } from '@floorcast/contract/fields.ts'
import { PlaylistChange, PlaylistDraft, type PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { NumberInput, SegmentedControl, SimpleGrid } from '@mantine/core'
import { z } from 'zod'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { DateField } from '../../ui/dates/date-field.tsx'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { useAddPlaylist, useEditPlaylist } from './playlists-data.ts'

interface PlaylistFormProps {
  /** The paused playlist to edit; without one the form adds a simple playlist. */
  playlist?: PlaylistWithTracks
  onClose: () => void
  /** @param uid of the new playlist */
  onAdded?: (uid: string) => void
}

/** Values of the fields; an empty date is no limit. */
type PlaylistValues = {
  uid?: string
  version?: number
  name: string
  description: string
  kind?: Kind
  startDate?: string
  endDate?: string
  crossfadeSeconds?: number
}

const newPlaylist: PlaylistValues = { name: '', description: '', kind: 'audio' }

const toValues = (playlist: PlaylistWithTracks): PlaylistValues => ({
  uid: playlist.uid,
  version: playlist.version,
  name: playlist.name,
  description: playlist.description,
  startDate: playlist.startDate ?? '',
  endDate: playlist.endDate ?? '',
  crossfadeSeconds: playlist.crossfadeSeconds,
})

const NewPlaylist = PlaylistDraft.extend({ kind: Kind })

const EditedPlaylist = z.preprocess(values => {
  const { startDate, endDate, ...rest } = values as PlaylistValues
  return { ...rest, startDate: startDate || null, endDate: endDate || null }
}, PlaylistChange)

/** Adds or edits a playlist. The kind is set once; dates and crossfade belong to a playlist that exists. */
export function PlaylistForm({ playlist, onClose, onAdded }: PlaylistFormProps) {
  const { t } = useTranslate()
  const { mutateAsync: add } = useAddPlaylist()
  const { mutateAsync: edit } = useEditPlaylist()
  const save = async (values: PlaylistValues) => {
    const name = values.name.trim()
    if (playlist) {
      await edit(EditedPlaylist.parse(values))
      void toast('success', t('playlists:saved', { name }))
      return
    }
    const { uid } = await add(NewPlaylist.parse(values))
    void toast('success', t('playlists:added', { name }))
    if (uid) onAdded?.(uid)
  }
  return (
    <SideForm
      isOpen
      title={playlist ? t('playlists:settings') : t('playlists:add')}
      schema={playlist ? EditedPlaylist : NewPlaylist}
      initial={playlist ? toValues(playlist) : newPlaylist}
      onSave={save}
      onClose={onClose}
    >
      {form => (
        <>
          {!playlist && (
            <SegmentedControl
              fullWidth
              aria-label={t('playlists:kind')}
              data={Kind.options.map(value => ({ value, label: t(`kinds.${value}`) }))}
              {...form.getInputProps('kind')}
            />
          )}
          <NameFields form={form} />
          {playlist && (
            <SimpleGrid cols={2}>
              <DateField label={t('playlists:startDate')} {...form.getInputProps('startDate')} />
              <DateField label={t('playlists:endDate')} {...form.getInputProps('endDate')} />
            </SimpleGrid>
          )}
          {/* A smart playlist's crossfade is part of its plan. */}
          {playlist?.form === 'simple' && (
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
