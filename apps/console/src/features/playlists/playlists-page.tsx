import { Kind, KindFilter } from '@floorcast/contract/fields.ts'
import { EditState } from '@floorcast/contract/groups.ts'
import {
  PlaylistFilter,
  PlaylistForm as FormOfPlaylist,
  type PlaylistRow,
} from '@floorcast/contract/playlists.ts'
import { Group } from '@mantine/core'
import { IconFileImport, IconPlaylist, IconWand } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { lists } from '../../platform/lists.ts'
import { paths } from '../../platform/paths.ts'
import { editActions } from '../../ui/bulk/edit-bulk-actions.tsx'
import { ListActions } from '../../ui/data-table/list-actions.tsx'
import { AddButton, itemListPage } from '../../ui/item-list/item-list-page.tsx'
import { readFilter } from '../../ui/data-table/list-address.ts'
import type { ListFilter } from '../../ui/data-table/list-column.ts'
import { listColumns } from '../../ui/detail/item-fields.tsx'
import { playlistFields } from './playlist-columns.tsx'
import { playlistQueries, useRenamePlaylist } from './playlists-data.ts'
import {
  BulkPlaylists,
  DuplicatePlaylist,
  PlaylistForm,
  PlaylistImport,
  ReplaceDialog,
} from './playlist-dialogs.ts'

/** Every playlist of the client. */
export const PlaylistsPage = itemListPage({
  name: 'playlists',
  label: t => t('routes:playlists'),
  icon: IconPlaylist,
  empty: t => ({ title: t('playlists:empty.title'), text: t('playlists:empty.text') }),
  defaults: lists.playlists,
  read: query => ({
    kind: KindFilter.catch('all').parse(query['kind']),
    query: readFilter(PlaylistFilter, query),
  }),
  rows: ({ kind, query }) => playlistQueries.list(kind, query),
  columns: (t, format) => listColumns(playlistFields(t, format)),
  filters: playlistFilters,
  pathOf: paths.playlist,
  useRename: useRenamePlaylist,
  addButtons: (_, open) => <AddButtons onAdd={() => open('add')} onImport={() => open('import')} />,
  form: props => <PlaylistForm {...props} />,
  importDialog: onClose => <PlaylistImport onClose={onClose} />,
  more: <OfferReplace />,
  copy: (playlist: PlaylistRow, onClose) => <DuplicatePlaylist playlist={playlist} onClose={onClose} />,
  bulk: {
    actions: editActions,
    dialog: (request, asked, onClose) => <BulkPlaylists {...request} {...asked} onClose={onClose} />,
  },
})

/** Import a playlist, add a smart one in the wizard, or a simple one. */
function AddButtons({ onAdd, onImport }: { onAdd: () => void; onImport: () => void }) {
  const { t } = useTranslate()
  return (
    <Group gap="xs">
      <ListActions
        actions={[
          {
            label: t('playlists:import.button'),
            icon: <IconFileImport size={16} aria-hidden />,
            run: onImport,
          },
          { label: t('routes:wizard'), icon: <IconWand size={16} aria-hidden />, to: paths.wizard },
        ]}
      />
      <AddButton label={t('playlists:add')} onClick={onAdd} />
    </Group>
  )
}

function playlistFilters(t: Translate): ListFilter[] {
  return [
    {
      name: 'state',
      label: t('playlists:state'),
      options: EditState.options.map(value => ({
        value,
        label: t(`states.playlist.${value}`),
      })),
    },
    {
      name: 'kind',
      label: t('playlists:kind'),
      options: Kind.options.map(value => ({ value, label: t(`kinds.${value}`) })),
    },
    {
      name: 'form',
      isRare: true,
      label: t('playlists:form'),
      options: FormOfPlaylist.options.map(value => ({ value, label: t(`playlists:forms.${value}`) })),
    },
  ]
}

/** Offers to put a new playlist on the air. The wizard opens it by the address (`?replace=`). */
function OfferReplace() {
  const [address, setAddress] = useSearchParams()
  const uid = address.get('replace')
  const { data } = useQuery({ ...playlistQueries.card(uid ?? ''), enabled: uid !== null })
  const close = () => {
    const without = (now: URLSearchParams) => {
      const next = new URLSearchParams(now)
      next.delete('replace')
      return next
    }
    setAddress(without, { replace: true })
  }
  if (uid === null || !data?.editOf) return null
  return <ReplaceDialog playlist={data} former={data.editOf} onClose={close} />
}
