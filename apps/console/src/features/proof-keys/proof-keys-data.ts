import { listProofKeys, markProofKey, renewProofKey, type ProofKeys } from '@floorcast/contract/proof.ts'
import { callQuery } from '../../platform/call-query.ts'
import { change } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import { changeHook, useChange } from '../../platform/use-change.ts'

export type ProofKey = ProofKeys['keys'][number]

export const proofKeysQuery = () => callQuery(queryKeys.proofKeys(), listProofKeys, {})

export const useRenewProofKey = () => useChange('proof-key', () => change(renewProofKey, {}))
export const useMarkProofKey = changeHook('proof-key', markProofKey)

/** The fingerprint in groups, to be read aloud: 'a1b2 c3d4 …'. */
export const showKeyId = (keyId: string): string => keyId.replaceAll(/(.{4})(?!$)/g, '$1 ')
