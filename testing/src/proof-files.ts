import { spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import type { PlayEvent } from '@floorcast/contract/events.ts'
import { downloadProof } from '@floorcast/contract/proof.ts'
import { PROOF_ENTRIES } from '@floorcast/contract/proof-file.ts'
import { type ProofCrypto, verifyProof } from '@floorcast/contract/proof-verification.ts'
import { directoryOf, headerOf } from '@floorcast/contract/proof-zip.ts'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import { expect } from 'vitest'
import { makeDevice, makeMedia } from './factories.ts'
import { makePlay, openPlayer } from './test-device.ts'
import type { TestServer } from './test-server.ts'
import { newShop, type Shop } from './test-shop.ts'

/** The server's time is to be two days after noon. */
export const PROOF_NOON = Date.parse('2026-11-20T12:00:00Z')
export const PROOF_NOW = new Date('2026-11-22T12:00:00Z')
export const PROOF_PERIOD = { from: '2026-11-19', to: '2026-11-21', zone: 'Europe/Berlin' }

/** The file by the browser's own functions, as the console's page has them. */
const webCrypto: ProofCrypto = {
  sha256: async bytes => Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex'),
  verify: async ({ publicKey, signature, message }) => {
    const raw = Uint8Array.from(Buffer.from(publicKey, 'base64'))
    const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
    return crypto.subtle.verify('Ed25519', key, Uint8Array.from(Buffer.from(signature, 'base64')), message)
  },
}
export const verifyBytes = (bytes: Uint8Array, expectedKey?: string) =>
  verifyProof(
    { bytes: bytes.length, read: async (start, end) => Uint8Array.from(bytes.subarray(start, end)) },
    webCrypto,
    { expectedKey },
  )

/** `npm run verify-proof` in a folder with this file. */
export function runVerifyProof(bytes: Uint8Array, ...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-proof-'))
  writeFileSync(join(folder, 'proof.zip'), bytes)
  const env = { ...process.env, INIT_CWD: folder }
  const script = join(import.meta.dirname, '../../tools/verify-proof.ts')
  const ended = spawnSync(process.execPath, [script, 'proof.zip', ...args], { encoding: 'utf8', env })
  rmSync(folder, { recursive: true })
  return ended
}

/** The zip's own text: its entries are stored as they are. */
export function entriesOf(zip: Buffer): Record<string, string> {
  const texts: Record<string, string> = {}
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50;) {
    const [size, name] = [zip.readUInt32LE(at + 18), zip.readUInt16LE(at + 26)]
    const begin = at + 30 + name
    texts[zip.toString('utf8', at + 30, begin)] = zip.toString('utf8', begin, begin + size)
    at = begin + size
  }
  return texts
}

/** The proof with another manifest, signed with a new key. */
export function signAgain(zip: Buffer, change: (manifest: string) => string): Buffer {
  const texts = entriesOf(zip)
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const manifest = change(texts[PROOF_ENTRIES.manifest] ?? '')
    .replace(/"publicKey": "[^"]+"/, `"publicKey": "${raw.toString('base64')}"`)
    .replace(/"keyId": "[^"]+"/, `"keyId": "${createHash('sha256').update(raw).digest('hex').slice(0, 16)}"`)
  const signature = `${sign(null, Buffer.from(manifest), privateKey).toString('base64')}\n`
  const parts = [texts[PROOF_ENTRIES.csv] ?? '', manifest, signature].map(text => Buffer.from(text))
  const entries = parts.map((bytes, at) => ({
    name: Object.values(PROOF_ENTRIES)[at] ?? '',
    bytes: bytes.length,
    crc32: crc32(bytes),
  }))
  return Buffer.concat([
    ...parts.flatMap((bytes, at) => (entries[at] ? [headerOf(entries[at]), bytes] : [])),
    directoryOf(entries),
  ])
}

export async function downloadZip(
  server: TestServer,
  { token }: Pick<Shop, 'token'>,
  params: { uid: string; zone?: string; from?: string; to?: string },
): Promise<Buffer> {
  const answer = await server.ask(downloadProof, { token, params: { ...PROOF_PERIOD, ...params } })
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`)
  return answer.rawPayload
}

/** A shop with an ad; `add` adds devices that play it. */
export async function makeProvenAd(server: TestServer) {
  const shop = await newShop(server)
  const { uid: ad, sha256 } = await makeMedia(shop.scope, {
    contentType: 'ads',
    name: 'Grand opening',
    durationSeconds: 60,
  })
  const add = async (name: string, tags: Record<string, string>) => {
    const { uid, licenseKey } = await makeDevice(shop.scope, { name, storeNumber: '=12' })
    for (const [key, value] of Object.entries(tags))
      await server.call(addTag, {
        token: shop.token,
        params: { contentType: 'device', uid },
        body: { key, value },
      })
    const player = await openPlayer(server, licenseKey)
    let sequence = 0
    const bootId = randomUUID()
    const send = async (plays: Partial<PlayEvent>[]) => {
      const body = plays.map(play =>
        makePlay((sequence += 1), {
          bootId,
          mediaUid: ad,
          sha256,
          contentType: 'ads',
          secondsPlayed: 60,
          ...play,
        }),
      )
      const { refused } = await server.call(sendEvents, { ...player, body })
      expect(refused).toEqual([])
    }
    return { uid, token: player.token, send }
  }
  return { shop, ad, add }
}

export const playAt = (moment: number, more: Partial<PlayEvent> = {}): Partial<PlayEvent> => {
  const startedAt = new Date(moment).toISOString()
  return { at: startedAt, scheduledAt: startedAt, startedAt, endedAt: startedAt, ...more }
}
