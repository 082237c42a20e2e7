import { spawnSync } from 'node:child_process'
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { splitSignedAddress } from '../packages/contract/src/server-address.ts'
import {
  parseStatement,
  signedTextOf,
  splitSignature,
  UpdateKey,
  UpdateSignature,
} from '../packages/contract/src/update-signing.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder = ''
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'floorcast-sign-'))))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs it from that folder, as npm would. */
function run(...args: string[]) {
  const script = join(import.meta.dirname, 'sign-update.ts')
  const env = { ...process.env, INIT_CWD: folder }
  return spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env })
}
const publicKeyIn = (output: string) => /Public key: +(\S+)/.exec(output)?.[1] ?? ''

it('npm run sign-update makes a key pair, once, and signs files with it', () => {
  const made = run('--make-key')
  expect(made.status).toBe(0)
  const publicKey = publicKeyIn(made.stdout)
  expect(UpdateKey.parse(publicKey)).toBe(publicKey)
  expect(statSync(join(folder, 'update-key.pem')).mode & 0o777).toBe(0o600)
  const pem = readFileSync(join(folder, 'update-key.pem'), 'utf8')
  const again = run('--make-key')
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('not written over')])
  expect(readFileSync(join(folder, 'update-key.pem'), 'utf8')).toBe(pem)

  const bytes = Buffer.alloc(300_000, 'player')
  writeFileSync(join(folder, 'player.tar'), bytes)
  const before = Math.floor(Date.now() / 1000)
  const signed = run('player.tar', '--version', '2.776.0')
  expect([signed.status, publicKeyIn(signed.stdout)]).toEqual([0, publicKey])
  const readSignatures = () =>
    splitSignature(UpdateSignature.parse(readFileSync(join(folder, 'player.tar.sig'), 'utf8')))
  const { signature, statement } = readSignatures()
  const x = Buffer.from(publicKey, 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const isSigned = (text: string, by: string) =>
    verify(null, Buffer.from(text), key, Buffer.from(by, 'base64'))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(isSigned(signedTextOf(sha256), signature)).toBe(true)
  expect(isSigned(statement?.text ?? '', statement?.signature ?? '')).toBe(true)
  const said = parseStatement(statement?.text ?? '')
  const facts = { name: 'player.tar', version: '2.776.0', sizeBytes: bytes.length, sha256 }
  expect(said).toEqual({ ...facts, machines: [], counter: said?.counter, isDowngrade: false })
  expect(said?.counter).toBeGreaterThanOrEqual(before)
  const more = ['--machines', 'linux-x64,linux-arm64', '--counter', '7', '--downgrade']
  expect(run('player.tar', '--version', '2.775.0', ...more).status).toBe(0)
  expect(parseStatement(readSignatures().statement?.text ?? '')).toEqual({
    ...facts,
    version: '2.775.0',
    machines: ['linux-x64', 'linux-arm64'],
    counter: 7,
    isDowngrade: true,
  })
})

const CLIENT = '01933d4e-0000-7000-8000-000000000002'
const address = (named: string, ...more: string[]) => [
  '--key',
  'good.pem',
  '--client',
  CLIENT,
  '--address',
  named,
  ...more,
]

it('npm run sign-update signs an address for the devices of a client', () => {
  run('--make-key', '--key', 'good.pem')
  const before = Math.floor(Date.now() / 1000)
  const { status, stdout } = run(...address('https://new.example/'))
  expect(status).toBe(0)
  const signed = splitSignedAddress(stdout.trim().split('\n').at(-1) ?? '')
  expect(signed).toMatchObject({ client: CLIENT, address: 'https://new.example' })
  expect(signed?.counter).toBeGreaterThanOrEqual(before)
  const x = Buffer.from(publicKeyIn(stdout), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const { text = '', signature = '' } = signed ?? {}
  expect(verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))).toBe(true)
  expect(stdout).toContain(text)
})

it('npm run sign-update says what is wrong, and writes nothing', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  writeFileSync(join(folder, 'rsa.pem'), rsa.export({ format: 'pem', type: 'pkcs8' }))
  writeFileSync(join(folder, 'garbage.pem'), 'no key')
  run('--make-key', '--key', 'good.pem')
  writeFileSync(join(folder, 'empty.tar'), '')
  writeFileSync(join(folder, 'some.tar'), 'player')
  const version = ['--version', '2.776.0'] as const
  const good = ['some.tar', '--key', 'good.pem'] as const
  for (const [args, says] of [
    [[], 'FILE is missing'],
    [['one.tar', 'two.tar'], 'One file at a time'],
    [['one.tar', '--make-key'], 'signs nothing'],
    [['one.tar'], '--version is missing'],
    [['one.tar', '--key', 'none.pem', ...version], 'There is no key'],
    [['one.tar', '--key', 'rsa.pem', ...version], 'holds no private Ed25519 key'],
    [['one.tar', '--key', 'garbage.pem', ...version], 'holds no private Ed25519 key'],
    [['one.tar', '--key', 'good.pem', ...version], 'ENOENT'],
    [['empty.tar', '--key', 'good.pem', ...version], 'is empty'],
    [[...good, '--version', 'new'], 'version new'],
    [[...good, ...version, '--machines', 'linux-x64,toaster'], 'machines linux-x64,toaster'],
    [[...good, ...version, '--counter', '0'], 'counter 0'],
    [[...good, ...version, '--counter', 'many'], 'counter NaN'],
    [['--address', 'https://new.example'], 'go together'],
    [['--client', CLIENT], 'go together'],
    [['some.tar', ...address('https://new.example')], 'not both'],
    [address('https://new.example', '--key', 'none.pem'), 'There is no key'],
    [address('new.example'), 'it is no http or https address of a host'],
    [address('ftp://new.example'), 'it is no http or https address of a host'],
    [address('https://new.example/floor'), 'it is more than a host'],
    [address('https://new.example?x'), 'it is more than a host'],
    [address('https://user:password@new.example'), 'it names a user'],
    [address('https://new.example', '--client', 'Shop'), 'client shop'],
    [address('https://new.example', '--counter', '0'), 'counter 0'],
    [['--shout'], 'shout'],
  ] as const) {
    const { status, stderr, stdout } = run(...args)
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining(says)])
  }
})
