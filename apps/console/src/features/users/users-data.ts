import { listDevices, readDevice } from '@floorcast/contract/devices.ts'
import type { BodyOf, QueryOf } from '@floorcast/contract/endpoint.ts'
import { removeUserSecondFactor } from '@floorcast/contract/second-factor.ts'
import { endUserSessions, listUserSessions } from '@floorcast/contract/sessions.ts'
import { editUser, inviteUser, listUsers, removeUser, resetUser } from '@floorcast/contract/users.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, change } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useChange } from '../../platform/use-change.ts'

export const usersQuery = (query: QueryOf<typeof listUsers>) =>
  queryOptions({
    queryKey: queryKeys.users.list(query),
    queryFn: ({ signal }) => call(listUsers, { query, signal }),
    placeholderData: keepPreviousData,
  })

/** The sessions of a user. */
export const userSessionsQuery = (uid: string) =>
  queryOptions({
    queryKey: queryKeys.users.sessions(uid),
    queryFn: ({ signal }) => call(listUserSessions, { params: { uid }, signal }),
  })

/** A link that a user sets a password with, as the server answered. */
export interface UserLink {
  email: string
  link: string
  expiresAt: string | undefined
}

/** The device that is chosen for a streamer. */
export const deviceQuery = (uid: string) =>
  queryOptions({
    queryKey: queryKeys.devices.card(uid),
    queryFn: ({ signal }) => call(readDevice, { params: { id: uid }, signal }),
  })

/** Devices that a streamer may play. */
export const findDevices = (search: string, signal: AbortSignal) =>
  call(listDevices, { query: { search, size: 30, sort: 'name' }, signal })

export const useInviteUser = () =>
  useChange('user', (body: BodyOf<typeof inviteUser>) => change(inviteUser, { body }))

export const useEditUser = () =>
  useChange('user', (body: BodyOf<typeof editUser>) => change(editUser, { body }))

/** A user, and the admin's own password. */
export interface ByPassword {
  uid: string
  password: string
}

export const useResetUser = () =>
  useChange('user', ({ uid, password }: ByPassword) =>
    change(resetUser, { params: { uid }, body: { password } }),
  )

export const useRemoveUser = () => useChange('user', (body: ByPassword) => change(removeUser, { body }))

export const useEndUserSessions = () =>
  useChange('user', ({ uid, password }: ByPassword) =>
    change(endUserSessions, { params: { uid }, body: { password } }),
  )

export const useRemoveUserSecondFactor = () =>
  useChange('user', ({ uid, password }: ByPassword) =>
    change(removeUserSecondFactor, { params: { uid }, body: { password } }),
  )
