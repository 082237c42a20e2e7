import type { EditAction } from '@floorcast/contract/bulk-calls.ts'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import type { Translate } from '../../platform/i18n.ts'
import type { BulkAction, Selection } from '../data-table/list-column.ts'

interface EditRequests {
  ask: (action: EditAction) => (selection: Selection, clear: () => void) => void
  deleteMany: BulkAction
}

/** The actions on selected groups or playlists. */
export const editActions = (t: Translate, { ask, deleteMany }: EditRequests): BulkAction[] => [
  { label: t('states.activate'), icon: <IconPlayerPlay size={16} aria-hidden />, run: ask('activate') },
  { label: t('bulk:pause'), icon: <IconPlayerPause size={16} aria-hidden />, run: ask('pause') },
  deleteMany,
]
