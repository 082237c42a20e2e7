import { readLimits } from '@floorcast/contract/dashboard.ts'
import { csvSeparatorOf } from '@floorcast/contract/csv.ts'
import { exportLicenseKeys } from '@floorcast/contract/device-import.ts'
import { selectGroups } from '@floorcast/contract/publications.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'
import { downloadAnswer } from '../../platform/download.ts'
import { currentLanguage } from '../../platform/i18n.ts'
import { queryKeys } from '../../platform/query-keys.ts'

export const groupsQuery = () =>
  queryOptions({
    queryKey: queryKeys.groups.options(),
    queryFn: ({ signal }) => call(selectGroups, { params: { x: 'all' }, signal }),
  })

export const limitsQuery = () =>
  queryOptions({
    queryKey: queryKeys.dashboard.limits(),
    queryFn: ({ signal }) => call(readLimits, { signal }),
  })

/** Saves the license keys of the devices that an import has added. @throws CallError */
export const downloadImportKeys = (importUid: string) =>
  downloadAnswer(
    exportLicenseKeys,
    { body: { importUid }, query: { separator: csvSeparatorOf(currentLanguage().code) } },
    'license-keys.csv',
  )
