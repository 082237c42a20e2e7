import { spawnSync } from 'node:child_process'
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signedTextOf, UpdateKey, UpdateSignature } from '../packages/contract/src/update-signing.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let folder = ''
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'floorcast-sign-'))))
afterAll(() => rmSync(folder, { recursive: true }))

/** As npm would run it from that folder. */
function run(...args: string[]) {
  const script = join(import.meta.dirname, 'sign-update.ts')
  const env = { ...process.env, INIT_CWD: folder }
  return spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env })
}
const publicKeyIn = (output: string) => /Public key: +(\S+)/.exec(output)?.[1] ?? ''

describe('npm run sign-update', () => {
  it('makes a key pair, once, and signs files with it', () => {
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
    const signed = run('player.tar')
    expect([signed.status, publicKeyIn(signed.stdout)]).toEqual([0, publicKey])
    const signature = UpdateSignature.parse(readFileSync(join(folder, 'player.tar.sig'), 'utf8'))
    const x = Buffer.from(publicKey, 'base64').toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    const text = signedTextOf(createHash('sha256').update(bytes).digest('hex'))
    expect(verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))).toBe(true)
  })

  it('says what is wrong, and writes nothing', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    writeFileSync(join(folder, 'rsa.pem'), rsa.export({ format: 'pem', type: 'pkcs8' }))
    writeFileSync(join(folder, 'garbage.pem'), 'no key')
    run('--make-key', '--key', 'good.pem')
    writeFileSync(join(folder, 'empty.tar'), '')
    for (const [args, says] of [
      [[], 'FILE is missing'],
      [['one.tar', 'two.tar'], 'One file at a time'],
      [['one.tar', '--make-key'], 'signs nothing'],
      [['one.tar', '--key', 'none.pem'], 'There is no key'],
      [['one.tar', '--key', 'rsa.pem'], 'holds no private Ed25519 key'],
      [['one.tar', '--key', 'garbage.pem'], 'holds no private Ed25519 key'],
      [['one.tar', '--key', 'good.pem'], 'ENOENT'],
      [['empty.tar', '--key', 'good.pem'], 'is empty'],
      [['--shout'], 'shout'],
    ] as const) {
      const { status, stderr, stdout } = run(...args)
      expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining(says)])
    }
  })
})
