import { listDevices, readDevice } from '@floorcast/contract/devices.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { removeUserSecondFactor } from '@floorcast/contract/second-factor.ts'
import { endUserSessions, listUserSessions } from '@floorcast/contract/sessions.ts'
import { editUser, inviteUser, listUsers, removeUser, resetUser } from '@floorcast/contract/users.ts'
import { callQuery, listQuery } from '../../platform/call-query.ts'
import { call } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { changeHook } from '../../platform/use-change.ts'

export const usersQuery = (query: QueryOf<typeof listUsers>) =>
  listQuery(queryKeys.users.list(query), listUsers, { query })

/** The sessions of a user. */
export const userSessionsQuery = (uid: string) =>
  callQuery(queryKeys.users.sessions(uid), listUserSessions, { params: { uid } })

/** A link that a user sets a password with, as the server answered. */
export interface UserLink {
  email: string
  link: string
  expiresAt: string | undefined
}

/** The device that is chosen for a streamer. */
export const deviceQuery = (uid: string) =>
  callQuery(queryKeys.devices.card(uid), readDevice, { params: { id: uid } })

/** Devices that a streamer may play. */
export const findDevices = (search: string, signal: AbortSignal) =>
  call(listDevices, { query: { search, size: 30, sort: 'name' }, signal })

export const useInviteUser = changeHook('user', inviteUser)
export const useEditUser = changeHook('user', editUser)
export const useResetUser = changeHook('user', resetUser)
export const useRemoveUser = changeHook('user', removeUser)
export const useEndUserSessions = changeHook('user', endUserSessions)
export const useRemoveUserSecondFactor = changeHook('user', removeUserSecondFactor)
