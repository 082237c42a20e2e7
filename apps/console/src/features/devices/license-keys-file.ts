import { csvSeparatorOf } from '@floorcast/contract/csv.ts'
import { exportLicenseKeys } from '@floorcast/contract/device-import.ts'
import type { listDevices } from '@floorcast/contract/devices.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { downloadAnswer } from '../../platform/download.ts'
import { currentLanguage } from '../../platform/i18n.ts'
import type { Selection } from '../../ui/data-table/list-column.ts'

/** Saves the license keys of selected devices, or of all that the list's filter finds. @throws CallError */
export function downloadLicenseKeys(selection: Selection, query: QueryOf<typeof listDevices>): Promise<void> {
  const { page: _page, size: _size, sort: _sort, dir: _dir, ...filter } = query
  const body =
    selection.kind === 'some' ? { uids: [...selection.uids] } : { filter, except: [...selection.except] }
  return downloadAnswer(
    exportLicenseKeys,
    { body, query: { separator: csvSeparatorOf(currentLanguage().code) } },
    'license-keys.csv',
  )
}
