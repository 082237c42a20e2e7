import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { readSession, saveProfile } from '@floorcast/contract/auth.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, change } from '../../platform/client.ts'

/** The signed-in user as the server knows it now; what the browser keeps is of the sign-in. */
export const userQuery = () =>
  queryOptions({ queryKey: ['user'], queryFn: ({ signal }) => call(readSession, { signal }) })

export function useSaveAccount() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyOf<typeof saveProfile>) => change(saveProfile, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['user'] }),
  })
}
