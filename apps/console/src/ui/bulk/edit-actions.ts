import type { EditAction } from '@floorcast/contract/bulk-calls.ts'
import type { Translate } from '../../platform/i18n.ts'

/** The label of the button that does an action on groups or playlists. */
export function editConfirm(t: Translate, action: EditAction): string {
  if (action === 'delete') return t('moveToBin')
  return t(action === 'activate' ? 'states.activate' : 'bulk:pause')
}

/** The action that takes another one back; null where that is the recycle bin. */
export function oppositeOf(action: EditAction): EditAction | null {
  if (action === 'delete') return null
  return action === 'activate' ? 'pause' : 'activate'
}
