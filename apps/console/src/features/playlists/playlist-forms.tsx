import { changeManyPlaylists, previewManyPlaylists, type EditAction } from '@floorcast/contract/bulk-calls.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { Kind, type KindFilter } from '@floorcast/contract/fields.ts'
import {
  PlaylistChange,
  PlaylistDraft,
  type PlaylistWithTracks,
  listPlaylists,
  type PlaylistRow,
} from '@floorcast/contract/playlists.ts'
import { NumberInput, SegmentedControl, SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { toast } from '../../platform/toasts.ts'
import { BulkDialog } from '../../ui/bulk/bulk-dialog.tsx'
import { editConfirm, oppositeOf } from '../../ui/bulk/edit-actions.ts'
import { useUndoOf } from '../../ui/bulk/use-undo.ts'
import type { Selection } from '../../ui/data-table/list-column.ts'
import { DateField } from '../../ui/dates/date-field.tsx'
import { DuplicateDialog } from '../../ui/duplicate/duplicate-dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { useAddPlaylist, useEditPlaylist, useClonePlaylist, playlistQueries } from './playlists-data.ts'

interface PlaylistFormProps {
  /** The paused playlist to edit; without one the form adds a simple playlist. */
  playlist?: PlaylistWithTracks
  onClose: () => void
  /** @param uid of the new playlist */
  onAdded?: (uid: string) => void
}

/** Values of the fields; an empty date sets no limit. */
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
    const { kind, ...draft } = NewPlaylist.parse(values)
    const { uid } = await add({ ...draft, contentType: kind })
    void toast('success', t('playlists:added', { name }))
    if (uid) onAdded?.(uid)
  }
  return (
    <SideForm
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

/** Copies a playlist; the day of a smart one is planned again. */
export function DuplicatePlaylist({ playlist, onClose }: { playlist: PlaylistRow; onClose: () => void }) {
  const { t } = useTranslate()
  const { mutateAsync: copy } = useClonePlaylist()
  return (
    <DuplicateDialog
      noun="playlist"
      name={playlist.name}
      text={t(`playlists:copyHas.${playlist.form}`)}
      find={(query, signal) => call(listPlaylists, { params: { x: 'all' }, query, signal })}
      make={async name => (await copy({ id: playlist.uid, purpose: 'copy', name })).uid ?? ''}
      to={paths.playlist}
      onClose={onClose}
    />
  )
}

interface BulkPlaylistsProps {
  action: EditAction
  selection: Selection
  /** A single playlist, of its own menu: the dialog lists the publications that use it. */
  item: Pick<PlaylistRow, 'uid' | 'name'> | null
  kind?: KindFilter
  query?: QueryOf<typeof listPlaylists>
  onClose: () => void
  onDone: () => void
}

/** Activates, pauses or deletes playlists. One that a publication uses is not deleted (docs/specification.md#8-error-catalogue, codes 409 and 921). */
export function BulkPlaylists(props: BulkPlaylistsProps) {
  const { action, selection, item, kind = 'all', query, onClose, onDone } = props
  const { t } = useTranslate()
  const undoOf = useUndoOf()
  const filter = useMemo(() => ({ ...query, kind }), [query, kind])
  const { count } = selection
  const opposite = oppositeOf(action)
  const undo = opposite
    ? undoOf.call('playlist', uids =>
        call(changeManyPlaylists, { body: { items: { uids }, action: opposite } }),
      )
    : undoOf.restore('playlists')
  const doneText = (done: number) => {
    if (action !== 'delete') return t(`bulk:playlists.${action}.done`, { count: done })
    return item && done === 1
      ? t('playlists:deletedOne', { name: item.name })
      : t('playlists:deleted', { count: done })
  }
  // For a single playlist, its publications tell what may become of it.
  const describeDelete = item ? null : (planned: number) => t('bulk:binned', { count: planned })
  return (
    <BulkDialog
      title={
        action === 'delete'
          ? t('playlists:delete.title', { count })
          : t(`bulk:playlists.${action}.title`, { count })
      }
      confirmLabel={editConfirm(t, action)}
      isDanger={action === 'delete'}
      selection={selection}
      filter={filter}
      calls={{
        entity: 'playlist',
        key: action,
        removes: action === 'delete',
        preview: items => call(previewManyPlaylists, { body: { items, action } }),
        run: items => call(changeManyPlaylists, { body: { items, action } }),
      }}
      doneText={doneText}
      undo={undo}
      describe={action === 'delete' ? describeDelete : undefined}
      onClose={onClose}
      onDone={onDone}
    >
      {item && <Publications playlist={item} />}
    </BulkDialog>
  )
}

function Publications({ playlist }: { playlist: Pick<PlaylistRow, 'uid' | 'name'> }) {
  const { t } = useTranslate()
  const { data, error, isPending, refetch } = useQuery(playlistQueries.publications(playlist.uid))
  const { name } = playlist
  if (isPending) return <Skeleton height={40} />
  if (!data) return <ErrorPanel error={error} retry={() => void refetch()} />
  if (data.length === 0) return t('playlists:delete.unused', { name })
  return (
    <Stack gap="xs">
      {t('playlists:delete.usedBy', { name, count: data.length })}
      <ul>
        {data.map(publication => (
          <li key={publication.uid}>
            <bdi>{publication.name}</bdi>
          </li>
        ))}
      </ul>
    </Stack>
  )
}

export { PlaylistImport } from './playlist-import.tsx'
export { ReplaceDialog } from './replace-dialog.tsx'
