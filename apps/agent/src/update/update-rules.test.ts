import type { ManifestUpdate } from '@floorcast/contract/manifest.ts'
import { hashOf } from '@floorcast/testing/device-server.ts'
import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { makeUpdateKeys } from '@floorcast/testing/update-keys.ts'
import { describe, expect, it } from 'vitest'
import { decideUpdate, type UpdateTarget } from './update-rules.ts'

const keys = makeUpdateKeys()
const bytes = Buffer.from('the new agent')
const sha256 = hashOf(bytes)
const file = {
  uid: uidOf(1),
  name: 'agent.mjs',
  sha256,
  sizeBytes: bytes.length,
  signature: keys.signFile(bytes),
  path: `/api/v2/iplay/update/${uidOf(1)}/${sha256}`,
}
const makeUpdate = (part: Partial<ManifestUpdate>): ManifestUpdate => ({
  packageUid: uidOf(2),
  name: 'Agent',
  category: 'Program',
  version: '3.0.0',
  channelName: 'All',
  isForced: false,
  files: [file],
  ...part,
})
const target: UpdateTarget = {
  version: '2.9.0',
  programHash: null,
  publicKey: keys.publicKey,
  machine: 'linux-arm64',
  hasInstallCommand: true,
}
const decide = (part: Partial<ManifestUpdate>, device: Partial<UpdateTarget> = {}) => {
  const decision = decideUpdate(makeUpdate(part), { ...target, ...device })
  return decision.kind === 'refused' ? decision.why : decision.kind
}

describe('an update', () => {
  it('is wanted if it is higher or forced', () => {
    expect(decide({})).toBe('wanted')
    expect(decide({ version: '2.9.0' })).toBe('held')
    expect(decide({ version: '2.9' })).toBe('held')
    expect(decide({ version: '2.9.0-rc.1' })).toContain('lower')
    expect(decide({ version: '2.8.9' })).toContain('lower')
    expect(decide({ version: '2.8.9', isForced: true })).toBe('wanted')
    expect(decide({ version: '../2.9' })).toBe("'../2.9' is no version")
  })

  it('of the same version is wanted by force only, and only with other bytes', () => {
    const same = { version: '2.9.0', isForced: true }
    expect(decide(same)).toBe('wanted')
    expect(decide(same, { programHash: sha256 })).toBe('held')
  })

  it('is for the machines that its category names', () => {
    expect(decide({ category: 'Program linux-arm64' })).toBe('wanted')
    expect(decide({ category: 'Linux-x64, linux-arm64' })).toBe('wanted')
    expect(decide({ category: 'Program linux-x64' })).toContain('this machine is linux-arm64')
    expect(decide({ category: 'up-to-date' })).toBe('wanted')
  })

  it('needs an install command, a key, a file, and its signature on each file', () => {
    expect(decide({}, { hasInstallCommand: false })).toBe('This agent has no install command')
    expect(decide({}, { publicKey: null })).toBe('This agent has no public key for updates')
    expect(decide({ files: [] })).toBe('It has no file')
    const wrong = "The signature of agent.mjs is not one of this agent's key"
    expect(decide({ files: [file, { ...file, signature: null }] })).toBe('agent.mjs is not signed')
    expect(decide({ files: [file, { ...file, sha256: hashOf(Buffer.from('other')) }] })).toBe(wrong)
    expect(decide({ files: [{ ...file, signature: 'not base64' }] })).toBe(wrong)
    expect(decide({}, { publicKey: makeUpdateKeys().publicKey })).toBe(wrong)
    expect(decide({}, { publicKey: 'no key' })).toBe(wrong)
  })
})
