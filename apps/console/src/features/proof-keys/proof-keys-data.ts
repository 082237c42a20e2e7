import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { listProofKeys, markProofKey, renewProofKey, type ProofKeys } from '@floorcast/contract/proof.ts'
import { queryOptions } from '@tanstack/react-query'
import { call, change } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { useChange } from '../../platform/use-change.ts'

export type ProofKey = ProofKeys['keys'][number]

export const proofKeysQuery = () =>
  queryOptions({
    queryKey: queryKeys.proofKeys(),
    queryFn: ({ signal }) => call(listProofKeys, { signal }),
  })

export const useRenewProofKey = () => useChange('proof-key', () => change(renewProofKey, {}))

export const useMarkProofKey = () =>
  useChange('proof-key', (body: BodyOf<typeof markProofKey>) => change(markProofKey, { body }))

/** The fingerprint in groups, to be read aloud: 'a1b2 c3d4 …'. */
export const showKeyId = (keyId: string): string => keyId.replaceAll(/(.{4})(?!$)/g, '$1 ')
