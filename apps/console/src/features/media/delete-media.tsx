import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import {
  deleteManyMedia,
  deleteMedia,
  type listMedia,
  type MediaRow,
  type MediaType,
} from '@floorcast/contract/media.ts'
import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call, change } from '../../platform/client.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { useMoveToRecycleBin } from '../../ui/recycle-bin/use-move-to-recycle-bin.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Selection } from '../../ui/data-table/list-column.ts'
import { mediaQueries } from './media-data.ts'

interface DeleteMediaProps {
  contentType: MediaType
  selection: Selection
  /** A single item, whose dependents are shown; null for a selection. */
  item: Pick<MediaRow, 'uid' | 'name'> | null
  /** The list's filter: a selection of all means its matches. */
  query?: QueryOf<typeof listMedia>
  onClose: () => void
  onDeleted: () => void
}

/** Moves media to the recycle bin; an item in a playlist stays (docs/specification.md#8-error-catalogue, code 921). */
export function DeleteMedia(props: DeleteMediaProps) {
  const { contentType, selection, item, query, onClose, onDeleted } = props
  const { t } = useTranslate()
  const params = { contentType }
  const remove = useMoveToRecycleBin({
    calls: {
      kind: 'media',
      one: uid => change(deleteMedia, { params, body: { uid } }),
      many: body => call(deleteManyMedia, { params, body }),
    },
    selection,
    filter: query ?? {},
    successMessage: count =>
      item ? t('media:deletedOne', { name: item.name }) : t('media:deleted', { count }),
    onDeleted,
  })
  return (
    <ConfirmDialog
      isOpen
      title={t('media:delete.title', { count: selection.count })}
      confirmLabel={t('moveToBin')}
      isDanger
      onConfirm={remove}
      onClose={onClose}
    >
      {item ? <Dependents media={{ ...item, contentType }} /> : t('media:delete.many')}
    </ConfirmDialog>
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
  const held = playlists.data?.total ?? 0
  const playing = groups.data?.total ?? 0
  if (held === 0) return t('media:delete.unused', { name })
  return (
    <Stack gap="xs">
      <Text>{t('media:delete.held', { name, count: held })}</Text>
      <Names items={playlists.data?.items ?? []} total={held} />
      {playing > 0 && <Text>{t('media:delete.playing', { count: playing })}</Text>}
      {playing > 0 && <Names items={groups.data?.items ?? []} total={playing} />}
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
