import { readLimits } from '@floorcast/contract/dashboard.ts'
import { csvSeparatorOf } from '@floorcast/contract/csv.ts'
import { exportLicenseKeys } from '@floorcast/contract/device-import.ts'
import { selectGroups } from '@floorcast/contract/publications.ts'
import { callQuery } from '../../platform/call-query.ts'
import { downloadAnswer } from '../../platform/download.ts'
import { currentLanguage } from '../../platform/i18n.ts'
import { queryKeys } from '../../platform/query-keys.ts'

export const groupsQuery = () => callQuery(queryKeys.groups.options(), selectGroups, { params: { x: 'all' } })

export const limitsQuery = () => callQuery(queryKeys.dashboard.limits(), readLimits, {})

/** Saves the license keys of the devices that an import has added. @throws CallError */
export const downloadImportKeys = (importUid: string) =>
  downloadAnswer(
    exportLicenseKeys,
    { body: { importUid }, query: { separator: csvSeparatorOf(currentLanguage().code) } },
    'license-keys.csv',
  )
