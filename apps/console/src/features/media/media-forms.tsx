import { previewManyMedia } from '@floorcast/contract/bulk-calls.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { formatIsrc } from '@floorcast/contract/media-credits.ts'
import {
  editMedia,
  type MediaRow,
  deleteManyMedia,
  type listMedia,
  type MediaType,
} from '@floorcast/contract/media.ts'
import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { toast } from '../../platform/toasts.ts'
import { BulkDialog } from '../../ui/bulk/bulk-dialog.tsx'
import { useUndoOf } from '../../ui/bulk/use-undo.ts'
import type { Selection } from '../../ui/data-table/list-column.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { NameFields } from '../../ui/side-form/name-fields.tsx'
import { SideForm } from '../../ui/side-form/side-form.tsx'
import { CreditInputs } from './credit-fields.tsx'
import { useEditMedia, mediaQueries } from './media-data.ts'

interface MediaFormProps {
  /** The item to edit. A card brings `version`, so that a stale edit is refused. */
  media: MediaRow & { version?: number; invalidIsrc?: string }
  onClose: () => void
}

/** Edits the name, description and credits of a media item. */
export function MediaForm({ media, onClose }: MediaFormProps) {
  const { t } = useTranslate()
  const save = useEditMedia(media.contentType)
  const { uid, name, description, artist, title, isrc, composer, publisher, version } = media
  const credits = { artist, title, isrc: formatIsrc(isrc), composer, publisher }
  return (
    <SideForm
      title={t('media:editTitle')}
      schema={editMedia.body}
      initial={{ uid, name, description, ...credits, ...(version === undefined ? {} : { version }) }}
      onSave={async values => {
        await save.mutateAsync(values)
        void toast('success', t('media:saved', { name: values.name }))
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <NameFields form={form} />
          <CreditInputs form={form} invalidIsrc={media.invalidIsrc ?? ''} />
        </>
      )}
    </SideForm>
  )
}

interface DeleteMediaProps {
  contentType: MediaType
  /** `unused`: every item that no playlist or profile uses, whatever the list shows. */
  selection: Selection | 'unused'
  /** A single item, whose dependents are shown; null for a selection. */
  item: Pick<MediaRow, 'uid' | 'name'> | null
  /** The list's filter: a selection of all means its matches. */
  query?: QueryOf<typeof listMedia>
  onClose: () => void
  onDone: () => void
}

const allUnused: Selection = { kind: 'all', except: [], count: 0 }
const unusedOnly: QueryOf<typeof listMedia> = { used: 'unused' }
const noFilter: QueryOf<typeof listMedia> = {}

/** Moves media to the recycle bin; an item in a playlist stays (docs/specification.md#8-error-catalogue, code 921). */
export function DeleteMedia(props: DeleteMediaProps) {
  const { contentType, selection, item, query = noFilter, onClose, onDone } = props
  const { t } = useTranslate()
  const undoOf = useUndoOf()
  const params = { contentType }
  const isUnused = selection === 'unused'
  const chosen = isUnused ? allUnused : selection
  const doneText = (done: number) =>
    item && done === 1 ? t('media:deletedOne', { name: item.name }) : t('media:deleted', { count: done })
  const describe = (planned: number) =>
    t(isUnused ? 'bulk:media.unusedText' : 'bulk:binned', { count: planned })
  return (
    <BulkDialog
      title={isUnused ? t('bulk:media.unused') : t('media:delete.title', { count: chosen.count })}
      confirmLabel={t('moveToBin')}
      isDanger
      selection={chosen}
      filter={isUnused ? unusedOnly : query}
      calls={{
        entity: 'media',
        key: ['delete', contentType],
        removes: true,
        preview: items => call(previewManyMedia, { params, body: { items, action: 'delete' } }),
        run: items => call(deleteManyMedia, { params, body: items }),
      }}
      doneText={doneText}
      undo={undoOf.restore('media')}
      describe={item ? null : describe}
      onClose={onClose}
      onDone={onDone}
    >
      {item && <Dependents media={{ ...item, contentType }} />}
    </BulkDialog>
  )
}

const firstNames = { page: 1, size: 10 }

/** The playlists that contain an item, and the groups that play it now. */
function Dependents({ media }: { media: Pick<MediaRow, 'uid' | 'name' | 'contentType'> }) {
  const { t } = useTranslate()
  const { uid, contentType, name } = media
  const playlists = useQuery(mediaQueries.playlists({ uid, contentType }, firstNames))
  const groups = useQuery(mediaQueries.groups({ uid, contentType }, firstNames))
  if (playlists.isPending || groups.isPending) return <Skeleton height={40} />
  const failed = [playlists, groups].find(result => !result.data)
  if (!playlists.data || !groups.data)
    return <ErrorPanel error={failed?.error} retry={() => void failed?.refetch()} />
  const [held, playing] = [playlists.data.total, groups.data.total]
  if (held === 0) return t('media:delete.unused', { name })
  return (
    <Stack gap="xs">
      <Text>{t('media:delete.held', { name, count: held })}</Text>
      <Names items={playlists.data.items} total={held} />
      {playing > 0 && <Text>{t('media:delete.playing', { count: playing })}</Text>}
      {playing > 0 && <Names items={groups.data.items} total={playing} />}
    </Stack>
  )
}

function Names({ items, total }: { items: readonly { uid: string; name: string }[]; total: number }) {
  const { t } = useTranslate()
  const more = total - items.length
  return (
    <ul>
      {items.map(({ uid, name }) => (
        <li key={uid}>
          <bdi>{name}</bdi>
        </li>
      ))}
      {more > 0 && <li>{t('media:delete.more', { count: more })}</li>}
    </ul>
  )
}

export { CreditsImport } from './credits-import.tsx'
