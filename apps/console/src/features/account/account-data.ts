import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { readProfile, readSession, saveProfile } from '@floorcast/contract/auth.ts'
import { endOtherSessions, endOwnSession, listOwnSessions } from '@floorcast/contract/sessions.ts'
import { changePassword } from '@floorcast/contract/users.ts'
import * as factor from '@floorcast/contract/second-factor.ts'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call, change } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useChange } from '../../platform/use-change.ts'

/** The signed-in user as the server knows it now; the browser stores the user of the sign-in. */
export const userQuery = () =>
  queryOptions({ queryKey: queryKeys.account(), queryFn: ({ signal }) => call(readSession, { signal }) })

export const useSaveProfile = () =>
  useChange('account', (body: BodyOf<typeof saveProfile>) => change(saveProfile, { body }))

/** The settings of the profile: the language of mails, and the color, mode and menu. */
export const ownProfileQuery = (uid: string) =>
  queryOptions({
    queryKey: queryKeys.ownProfile(),
    queryFn: ({ signal }) => call(readProfile, { params: { id: uid }, signal }),
  })

/** Reads the color, mode and menu that the profile keeps. */
export const useReadChoices = (uid: string) =>
  useMutation({
    mutationFn: async () => {
      const { color, mode, menuType } = await call(readProfile, { params: { id: uid } })
      return { color, mode, menuType }
    },
  })

/** The user's own sessions. They change without the change feed. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: queryKeys.sessions(),
    queryFn: ({ signal }) => call(listOwnSessions, { signal }),
  })

export const useEndOwnSession = () =>
  useChange('account', (uid: string) => change(endOwnSession, { params: { uid } }))

export const useEndOtherSessions = () => useChange('account', () => change(endOtherSessions, {}))

export const useChangePassword = () =>
  useChange('account', (body: BodyOf<typeof changePassword>) => change(changePassword, { body }))

export const secondFactorQuery = () =>
  queryOptions({
    queryKey: queryKeys.secondFactor(),
    queryFn: ({ signal }) => call(factor.readSecondFactor, { signal }),
  })

/** The changes of the user's own second factor, and of what the client requires. */
export function useSecondFactor() {
  return {
    begin: useChange('account', (body: BodyOf<typeof factor.beginEnrollment>) =>
      change(factor.beginEnrollment, { body }),
    ).mutateAsync,
    confirm: useChange('account', (body: BodyOf<typeof factor.confirmEnrollment>) =>
      change(factor.confirmEnrollment, { body }),
    ).mutateAsync,
    renewCodes: useChange('account', (body: BodyOf<typeof factor.renewRecoveryCodes>) =>
      change(factor.renewRecoveryCodes, { body }),
    ).mutateAsync,
    remove: useChange('account', (body: BodyOf<typeof factor.removeSecondFactor>) =>
      change(factor.removeSecondFactor, { body }),
    ).mutateAsync,
  }
}

export const useRequireSecondFactor = () =>
  useChange('account', (isRequired: boolean) => change(factor.requireSecondFactor, { body: { isRequired } }))
