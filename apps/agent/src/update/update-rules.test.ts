import type { ManifestUpdate } from '@floorcast/contract/manifest.ts'
import { hashOf } from '@floorcast/testing/device-server.ts'
import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import type { UpdateStatement } from '@floorcast/contract/update-signing.ts'
import { makeUpdateKeys, statementOf } from '@floorcast/testing/update-keys.ts'
import { expect, it } from 'vitest'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import { HighestVersion } from './signed-version.ts'
import { decideUpdate, type UpdateTarget } from './update-rules.ts'

const keys = makeUpdateKeys()
const bytes = Buffer.from('the new agent')
const sha256 = hashOf(bytes)
const makeFile = (claims: Partial<UpdateStatement> = {}) => ({
  uid: uidOf(1),
  name: 'agent.mjs',
  sha256,
  sizeBytes: bytes.length,
  signature: keys.signFile(bytes),
  statement: keys.signStatement(statementOf(bytes, { name: 'agent.mjs', version: '3.0.0', ...claims })),
  path: `/api/v2/iplay/update/${uidOf(1)}/${sha256}`,
})
const file = makeFile()
/** Signed as what it is, unless it has files. */
const makeUpdate = (part: Partial<ManifestUpdate>): ManifestUpdate => ({
  packageUid: uidOf(2),
  name: 'Agent',
  category: 'Program',
  version: '3.0.0',
  channelName: 'All',
  isForced: false,
  files: [makeFile(part.version === undefined ? {} : { version: part.version })],
  ...part,
})
const target: UpdateTarget = {
  version: '2.9.0',
  programHash: null,
  publicKey: keys.publicKey,
  machine: 'linux-arm64',
  hasInstallCommand: true,
  highest: { version: '2.9.0', counter: 0 },
}
const decide = (part: Partial<ManifestUpdate>, device: Partial<UpdateTarget> = {}) => {
  const decision = decideUpdate(makeUpdate(part), { ...target, ...device })
  return decision.kind === 'refused' ? decision.why : decision.kind
}

it('an update is wanted if it is higher or forced', () => {
  expect(decide({})).toBe('wanted')
  expect(decide({ version: '2.9.0' })).toBe('held')
  expect(decide({ version: '2.9' })).toBe('held')
  expect(decide({ version: '2.9.0-rc.1' })).toContain('lower')
  expect(decide({ version: '2.8.9' })).toContain('lower')
  expect(decide({ version: '2.8.9', isForced: true })).toContain('not signed as a downgrade')
  expect(decide({ version: '../2.9' })).toBe("'../2.9' is no version")
})

it('an update of the same version is wanted with other bytes only, by force or if it was signed later', () => {
  const same = { version: '2.9.0', isForced: true }
  expect(decide(same)).toBe('wanted')
  expect(decide(same, { programHash: sha256 })).toBe('held')
  const { counter } = statementOf(bytes, { name: 'agent.mjs' })
  const build = (running: string | null, signed: number) =>
    decide({ version: '2.9.0' }, { programHash: running, highest: { version: '2.9.0', counter: signed } })
  const other = hashOf(Buffer.from('an older build'))
  expect(build(other, counter - 1)).toBe('wanted')
  expect(build(other, counter)).toBe('held')
  expect(build(sha256, counter - 1)).toBe('held')
  // Without the hash of the running file nobody can tell.
  expect(build(null, counter - 1)).toBe('held')
})

it('an update is for the machines that its category names', () => {
  expect(decide({ category: 'Program linux-arm64' })).toBe('wanted')
  expect(decide({ category: 'Linux-x64, linux-arm64' })).toBe('wanted')
  expect(decide({ category: 'Program linux-x64' })).toContain('this machine is linux-arm64')
  expect(decide({ category: 'up-to-date' })).toBe('wanted')
})

it('an update needs an install command, a key, a file, and its statement on each file', () => {
  expect(decide({}, { hasInstallCommand: false })).toBe('This agent has no install command')
  expect(decide({}, { publicKey: null })).toBe('This agent has no public key for updates')
  expect(decide({ files: [] })).toBe('It has no file')
  const wrong = "The signature of agent.mjs is not one of this agent's key"
  const { statement, ...former } = file
  expect(decide({ files: [file, { ...former, signature: null }] })).toBe('agent.mjs is not signed')
  expect(decide({ files: [file, former] })).toContain('only a signature of former releases')
  const other = keys.signFile(Buffer.from('other'))
  expect(decide({ files: [{ ...file, statement: { ...statement, signature: other } }] })).toBe(wrong)
  expect(decide({ files: [{ ...file, statement: { ...statement, signature: 'not base64' } }] })).toBe(wrong)
  expect(decide({}, { publicKey: makeUpdateKeys().publicKey })).toBe(wrong)
  expect(decide({}, { publicKey: 'no key' })).toBe(wrong)
})

it('an update is no other file, version, machine or purpose than was signed', () => {
  const notThis = 'agent.mjs is not the file that was signed'
  expect(decide({ files: [{ ...file, sha256: hashOf(Buffer.from('other')) }] })).toBe(notThis)
  expect(decide({ files: [{ ...file, sizeBytes: 9 }] })).toBe(notThis)
  expect(decide({ files: [makeFile({ name: 'firmware.bin' })] })).toBe(notThis)
  expect(decide({ version: '4.0.0', files: [file] })).toBe(
    'agent.mjs is signed as version 3.0.0, but the package says 4.0.0',
  )
  expect(decide({ files: [makeFile({ machines: ['linux-x64'] })] })).toContain('this machine is linux-arm64')
  expect(decide({ files: [makeFile({ machines: ['linux-x64', 'linux-arm64'] })] })).toBe('wanted')
  const text = file.statement.text.replace('player', 'projector')
  const signed = { text, signature: keys.signText(text) }
  expect(decide({ files: [{ ...file, statement: signed }] })).toBe(
    'agent.mjs is not signed as a player program',
  )
})

const heldHighest = { version: '2.9.5', counter: 7 }
it.each<{ claims: Partial<UpdateStatement>; what: string }>([
  { claims: { version: '3.0.0', counter: 8 }, what: 'wanted' },
  { claims: { version: '3.0.0', counter: 6 }, what: 'signed before' },
  { claims: { version: '3.0.0', counter: 7 }, what: 'signed before' },
  { claims: { version: '2.9.5', counter: 7 }, what: 'wanted' },
  { claims: { version: '2.9.4', counter: 8 }, what: 'not signed as a downgrade' },
  { claims: { version: '2.9.4', counter: 8, isDowngrade: true }, what: 'wanted' },
  { claims: { version: '2.9.4', counter: 7, isDowngrade: true }, what: 'signed before' },
  { claims: { version: '2.8.0', counter: 8, isDowngrade: true }, what: 'wanted' },
])('an update forced on a device that had 2.9.5 of counter 7: $claims is $what', ({ claims, what }) => {
  const { version = '' } = claims
  expect(decide({ version, isForced: true, files: [makeFile(claims)] }, { highest: heldHighest })).toContain(
    what,
  )
})

it('the highest version is kept, and never below the running one', () => {
  const values = new Map<string, unknown>()
  const state = {
    read: (name: string) => values.get(name) ?? null,
    write: (name: string, value: unknown) => values.set(name, value).size > 0,
  } as StateStore
  expect(new HighestVersion(state, '2.9.0').read()).toEqual({ version: '2.9.0', counter: 0 })
  new HighestVersion(state, '2.9.0').write({ version: '3.0.0', counter: 4 })
  expect(new HighestVersion(state, '2.9.0').read()).toEqual({ version: '3.0.0', counter: 4 })
  expect(new HighestVersion(state, '3.1.0').read()).toEqual({ version: '3.1.0', counter: 4 })
})
