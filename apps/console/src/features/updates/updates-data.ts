import {
  addDeployPackage,
  deleteDeployPackage,
  editDeployPackage,
  listDeployPackages,
  rotateDeployPackage,
} from '@floorcast/contract/deploy-packages.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import {
  addChannel,
  deleteChannel,
  editChannel,
  listChannels,
  rotateChannel,
  type ChannelRow,
} from '@floorcast/contract/update-channels.ts'
import {
  addUpdateFile,
  deleteUpdateFile,
  editUpdateFile,
  listUpdateFiles,
  type UpdateFileRow,
} from '@floorcast/contract/update-files.ts'
import {
  addPackage,
  deletePackage,
  editPackage,
  excludeFile,
  listPackages,
  readPackage,
  rotatePackage,
  type PackageRow,
} from '@floorcast/contract/update-packages.ts'
import { listUpdateDevices, readUpdateKey, setUpdateKey } from '@floorcast/contract/updates.ts'
import { callQuery, listQuery } from '../../platform/call-query.ts'
import { nextChangeMs } from '../../platform/device-changes.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { type RenameItem, useRenaming } from '../../platform/renaming.ts'
import { useMayChange } from '../../platform/session.ts'
import { changeHook, stateHook } from '../../platform/use-change.ts'

/** The change feed does not tell how many devices run a package. */
const refetchInterval = 30_000
/** The least time between two questions for what time alone changes. */
const devicesIntervalMs = 5_000

export const updateQueries = {
  packages: (query: QueryOf<typeof listPackages>) =>
    listQuery(queryKeys.updates.list('packages', query), listPackages, { query }),
  package: (id: string) => callQuery(queryKeys.updates.package(id), readPackage, { params: { id } }),
  files: (query: QueryOf<typeof listUpdateFiles>) =>
    listQuery(queryKeys.updates.list('files', query), listUpdateFiles, { query }),
  channels: (query: QueryOf<typeof listChannels>) =>
    listQuery(queryKeys.updates.list('channels', query), listChannels, { query }),
  deploys: (query: QueryOf<typeof listDeployPackages>) =>
    listQuery(queryKeys.updates.list('deploys', query), listDeployPackages, { query, refetchInterval }),
  devices: (query: QueryOf<typeof listUpdateDevices>) =>
    listQuery(queryKeys.updates.devices(query), listUpdateDevices, {
      query,
      refetchInterval: ({ state }) => nextChangeMs(state.data?.items, devicesIntervalMs),
    }),
  key: () => callQuery(queryKeys.updates.publicKey(), readUpdateKey, {}),
}

export const useAddPackage = changeHook('update', addPackage)
export const useEditPackage = changeHook('update', editPackage)
export const useDeletePackage = changeHook('update', deletePackage)
export const useExcludeFile = changeHook('update', excludeFile)
export const useRotatePackage = stateHook('update', rotatePackage)

export const useAddChannel = changeHook('update', addChannel)
export const useEditChannel = changeHook('update', editChannel)
export const useDeleteChannel = changeHook('update', deleteChannel)
export const useRotateChannel = stateHook('update', rotateChannel)

export const useAddDeployPackage = changeHook('update', addDeployPackage)
export const useEditDeployPackage = changeHook('update', editDeployPackage)
export const useDeleteDeployPackage = changeHook('update', deleteDeployPackage)
export const useRotateDeployPackage = stateHook('update', rotateDeployPackage)

export const useAddUpdateFile = changeHook('update', addUpdateFile)
export const useEditUpdateFile = changeHook('update', editUpdateFile)
export const useDeleteUpdateFile = changeHook('update', deleteUpdateFile)

export const useSetUpdateKey = changeHook('update', setUpdateKey)

/** Renames a package that is a draft. */
export function useRenamePackage(): RenameItem<PackageRow> {
  const { mutateAsync: edit } = useEditPackage()
  if (!useMayChange()) return null
  return ({ uid, name, state, recordVersion }) =>
    state === 'draft'
      ? {
          name,
          version: recordVersion,
          save: change => edit({ uid, name: change.name, recordVersion: change.version }),
        }
      : null
}

/** Renames a channel. */
export const useRenameChannel = () => useRenaming<ChannelRow>({ edit: useEditChannel().mutateAsync })

/** Renames a file in the lists; devices know it by its file name. */
export const useRenameFile = () => useRenaming<UpdateFileRow>({ edit: useEditUpdateFile().mutateAsync })
