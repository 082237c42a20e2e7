import {
  addDeployPackage,
  deleteDeployPackage,
  editDeployPackage,
  listDeployPackages,
  rotateDeployPackage,
  type DeployState,
} from '@floorcast/contract/deploy-packages.ts'
import type { BodyOf, ParamsOf, QueryOf } from '@floorcast/contract/endpoint.ts'
import {
  addChannel,
  deleteChannel,
  editChannel,
  listChannels,
  rotateChannel,
  type ChannelRow,
  type ChannelState,
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
  type PackageState,
} from '@floorcast/contract/update-packages.ts'
import { listUpdateDevices, readUpdateKey, setUpdateKey } from '@floorcast/contract/updates.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, change } from '../../platform/client.ts'
import { nextChangeMs } from '../../platform/device-changes.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { type RenameItem, useRenaming } from '../../platform/renaming.ts'
import { useMayChange } from '../../platform/session.ts'
import { useChange } from '../../platform/use-change.ts'

const placeholderData = keepPreviousData
/** The change feed does not tell how many devices run a package. */
const refetchInterval = 30_000
/** The least time between two questions for what time alone changes. */
const devicesIntervalMs = 5_000

export const updateQueries = {
  packages: (query: QueryOf<typeof listPackages>) =>
    queryOptions({
      queryKey: queryKeys.updates.list('packages', query),
      queryFn: ({ signal }) => call(listPackages, { query, signal }),
      placeholderData,
    }),
  package: (id: string) =>
    queryOptions({
      queryKey: queryKeys.updates.package(id),
      queryFn: ({ signal }) => call(readPackage, { params: { id }, signal }),
    }),
  files: (query: QueryOf<typeof listUpdateFiles>) =>
    queryOptions({
      queryKey: queryKeys.updates.list('files', query),
      queryFn: ({ signal }) => call(listUpdateFiles, { query, signal }),
      placeholderData,
    }),
  channels: (query: QueryOf<typeof listChannels>) =>
    queryOptions({
      queryKey: queryKeys.updates.list('channels', query),
      queryFn: ({ signal }) => call(listChannels, { query, signal }),
      placeholderData,
    }),
  deploys: (query: QueryOf<typeof listDeployPackages>) =>
    queryOptions({
      queryKey: queryKeys.updates.list('deploys', query),
      queryFn: ({ signal }) => call(listDeployPackages, { query, signal }),
      placeholderData,
      refetchInterval,
    }),
  devices: (query: QueryOf<typeof listUpdateDevices>) =>
    queryOptions({
      queryKey: queryKeys.updates.devices(query),
      queryFn: ({ signal }) => call(listUpdateDevices, { query, signal }),
      placeholderData,
      refetchInterval: ({ state }) => nextChangeMs(state.data?.items, devicesIntervalMs),
    }),
  key: () =>
    queryOptions({
      queryKey: queryKeys.updates.publicKey(),
      queryFn: ({ signal }) => call(readUpdateKey, { signal }),
    }),
}

export const useAddPackage = () =>
  useChange('update', (body: BodyOf<typeof addPackage>) => change(addPackage, { body }))
export const useEditPackage = () =>
  useChange('update', (body: BodyOf<typeof editPackage>) => change(editPackage, { body }))
export const useDeletePackage = () =>
  useChange('update', (uid: string) => change(deletePackage, { body: { uid } }))
export const useExcludeFile = () =>
  useChange('update', (params: ParamsOf<typeof excludeFile>) => change(excludeFile, { params }))

/** A step from the state that the user saw, so that a second click does not take a second step. */
interface Turn<State> {
  uid: string
  from: State
}

export const useRotatePackage = () =>
  useChange('update', ({ uid, from }: Turn<PackageState>) =>
    change(rotatePackage, { params: { id: uid }, query: { from } }),
  )
export const useRotateChannel = () =>
  useChange('update', ({ uid, from }: Turn<ChannelState>) =>
    change(rotateChannel, { params: { id: uid }, query: { from } }),
  )
export const useRotateDeployPackage = () =>
  useChange('update', ({ uid, from }: Turn<DeployState>) =>
    change(rotateDeployPackage, { params: { id: uid }, query: { from } }),
  )

export const useAddChannel = () =>
  useChange('update', (body: BodyOf<typeof addChannel>) => change(addChannel, { body }))
export const useEditChannel = () =>
  useChange('update', (body: BodyOf<typeof editChannel>) => change(editChannel, { body }))
export const useDeleteChannel = () =>
  useChange('update', (uid: string) => change(deleteChannel, { body: { uid } }))

export const useAddDeployPackage = () =>
  useChange('update', (body: BodyOf<typeof addDeployPackage>) => change(addDeployPackage, { body }))
export const useEditDeployPackage = () =>
  useChange('update', (body: BodyOf<typeof editDeployPackage>) => change(editDeployPackage, { body }))
export const useDeleteDeployPackage = () =>
  useChange('update', (uid: string) => change(deleteDeployPackage, { body: { uid } }))

export const useAddUpdateFile = () =>
  useChange('update', (body: BodyOf<typeof addUpdateFile>) => change(addUpdateFile, { body }))
export const useEditUpdateFile = () =>
  useChange('update', (body: BodyOf<typeof editUpdateFile>) => change(editUpdateFile, { body }))
export const useDeleteUpdateFile = () =>
  useChange('update', (uid: string) => change(deleteUpdateFile, { body: { uid } }))

export const useSetUpdateKey = () =>
  useChange('update', (publicKey: string | null) => change(setUpdateKey, { body: { publicKey } }))

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
