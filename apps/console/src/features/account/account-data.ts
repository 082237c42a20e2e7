import { readProfile, readSession, saveProfile } from '@floorcast/contract/auth.ts'
import { endOtherSessions, endOwnSession, listOwnSessions } from '@floorcast/contract/sessions.ts'
import { changePassword } from '@floorcast/contract/users.ts'
import * as factor from '@floorcast/contract/second-factor.ts'
import { useMutation } from '@tanstack/react-query'
import { callQuery } from '../../platform/call-query.ts'
import { call, change } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { changeHook, useChange } from '../../platform/use-change.ts'

/** The signed-in user as the server knows it now; the browser stores the user of the sign-in. */
export const userQuery = () => callQuery(queryKeys.account(), readSession, {})

export const useSaveProfile = changeHook('account', saveProfile)

/** The settings of the profile: the language of mails, and the color, mode and menu. */
export const ownProfileQuery = (uid: string) =>
  callQuery(queryKeys.ownProfile(), readProfile, { params: { id: uid } })

/** Reads the color, mode and menu that the profile keeps. */
export const useReadChoices = (uid: string) =>
  useMutation({
    mutationFn: async () => {
      const { color, mode, menuType } = await call(readProfile, { params: { id: uid } })
      return { color, mode, menuType }
    },
  })

/** The user's own sessions. They change without the change feed. */
export const sessionsQuery = () => callQuery(queryKeys.sessions(), listOwnSessions, {})

export const useEndOwnSession = changeHook('account', endOwnSession)
export const useEndOtherSessions = () => useChange('account', () => change(endOtherSessions, {}))
export const useChangePassword = changeHook('account', changePassword)

export const secondFactorQuery = () => callQuery(queryKeys.secondFactor(), factor.readSecondFactor, {})

export const useBeginEnrollment = changeHook('account', factor.beginEnrollment)
export const useConfirmEnrollment = changeHook('account', factor.confirmEnrollment)
export const useRenewRecoveryCodes = changeHook('account', factor.renewRecoveryCodes)
export const useRemoveSecondFactor = changeHook('account', factor.removeSecondFactor)
export const useRequireSecondFactor = changeHook('account', factor.requireSecondFactor)
