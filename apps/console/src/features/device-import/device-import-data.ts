import { readLimits } from '@floorcast/contract/dashboard.ts'
import { exportLicenseKeys } from '@floorcast/contract/device-import.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import { addGroup } from '@floorcast/contract/groups.ts'
import { selectGroups } from '@floorcast/contract/publications.ts'
import { queryOptions } from '@tanstack/react-query'
import { call, change } from '../../platform/client.ts'
import { downloadAnswer } from '../../platform/download.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useChange } from '../../platform/use-change.ts'

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

/** Creates groups, one after another: a file names some of them, not thousands. @throws Refusal, CallError */
export const useAddGroups = () =>
  useChange('group', async ({ kind, names }: { kind: Kind; names: readonly string[] }) => {
    for (const name of names) await change(addGroup, { params: { contentType: kind }, body: { name } })
  })

/** Saves the license keys of the devices that an import has added. @throws CallError */
export const downloadImportKeys = (importUid: string) =>
  downloadAnswer(exportLicenseKeys, { importUid }, 'license-keys.csv')
