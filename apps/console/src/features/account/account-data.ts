import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { readSession, saveProfile } from '@floorcast/contract/auth.ts'
import { queryOptions } from '@tanstack/react-query'
import { call, change } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useChange } from '../../platform/use-change.ts'

/** The signed-in user as the server knows it now; the browser stores the user of the sign-in. */
export const userQuery = () =>
  queryOptions({ queryKey: queryKeys.account(), queryFn: ({ signal }) => call(readSession, { signal }) })

export const useSaveAccount = () =>
  useChange('account', (body: BodyOf<typeof saveProfile>) => change(saveProfile, { body }))
