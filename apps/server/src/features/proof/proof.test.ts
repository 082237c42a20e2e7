import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readAudit } from '@floorcast/contract/audit.ts'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import type { PlayEvent } from '@floorcast/contract/events.ts'
import { downloadProof, readProofKeys, renewProofKey } from '@floorcast/contract/proof.ts'
import { PROOF_COLUMNS, PROOF_ENTRIES } from '@floorcast/contract/proof-file.ts'
import { type ProofCrypto, verifyProof } from '@floorcast/contract/proof-verification.ts'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import { makeDevice, makeMedia } from '@floorcast/testing/factories.ts'
import { makePlay, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop, type Shop } from '@floorcast/testing/test-shop.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const server = await testServer()
const noon = Date.parse('2026-11-20T12:00:00Z')
server.clock.now = new Date('2026-11-22T12:00:00Z')
const PERIOD = { from: '2026-11-19', to: '2026-11-21', zone: 'Europe/Berlin' }

let folder = ''
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'floorcast-proof-'))))
afterAll(() => rmSync(folder, { recursive: true }))

/** The file by the browser's own functions, as the console's page has them. */
const webCrypto: ProofCrypto = {
  sha256: async bytes => Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex'),
  verify: async ({ publicKey, signature, message }) => {
    const raw = Uint8Array.from(Buffer.from(publicKey, 'base64'))
    const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
    return crypto.subtle.verify('Ed25519', key, Uint8Array.from(Buffer.from(signature, 'base64')), message)
  },
}
const verify = (bytes: Uint8Array, expectedKey?: string) =>
  verifyProof(
    { bytes: bytes.length, read: async (start, end) => Uint8Array.from(bytes.subarray(start, end)) },
    webCrypto,
    { expectedKey },
  )
/** `npm run verify-proof` in a folder with this file. */
function runCommand(bytes: Uint8Array, ...args: string[]) {
  writeFileSync(join(folder, 'proof.zip'), bytes)
  const env = { ...process.env, INIT_CWD: folder }
  const script = join(import.meta.dirname, '../../../../../tools/verify-proof.ts')
  return spawnSync(process.execPath, [script, 'proof.zip', ...args], { encoding: 'utf8', env })
}

/** The zip's own text: its entries are stored as they are. */
function entriesOf(zip: Buffer) {
  const texts: Record<string, string> = {}
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50;) {
    const [size, name] = [zip.readUInt32LE(at + 18), zip.readUInt16LE(at + 26)]
    const begin = at + 30 + name
    texts[zip.toString('utf8', at + 30, begin)] = zip.toString('utf8', begin, begin + size)
    at = begin + size
  }
  return texts
}

async function download(shop: Shop, uid: string, params: object = {}): Promise<Buffer> {
  const answer = await server.ask(downloadProof, { token: shop.token, params: { uid, ...PERIOD, ...params } })
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`)
  return answer.rawPayload
}

async function makeAd() {
  const shop = await newShop(server)
  const { uid: ad } = await makeMedia(shop.scope, { contentType: 'ads', name: 'Grand opening' })
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
        makePlay((sequence += 1), { bootId, mediaUid: ad, contentType: 'ads', ...play }),
      )
      const { refused } = await server.call(sendEvents, { ...player, body })
      expect(refused).toEqual([])
    }
    return { uid, send }
  }
  return { shop, ad, add }
}
const playAt = (moment: number, more: Partial<PlayEvent> = {}): Partial<PlayEvent> => {
  const startedAt = new Date(moment).toISOString()
  return { at: startedAt, scheduledAt: startedAt, startedAt, endedAt: startedAt, ...more }
}

describe('a signed proof of play', () => {
  it('has each play once, and the totals of a plain count; impressions by hour', async () => {
    const { shop, ad, add } = await makeAd()
    const byHour = Array.from({ length: 24 }, (_, hour) => hour * 100)
    const audiences = [byHour, Array<number>(24).fill(360), null]
    const devices = await Promise.all([
      add('North, "main"', { audience: byHour.join(), zone: 'checkout', timeZone: 'Asia/Tokyo' }),
      add('South', { audience: '360' }),
      add('West', {}),
    ])
    const play = fc.record({
      device: fc.nat(2),
      offset: fc.integer({ min: -60 * 3_600_000, max: 46 * 3_600_000 }),
      result: fc.constantFrom('complete', 'joined', 'cut', 'failed'),
      secondsPlayed: fc.integer({ min: 0, max: 60_000 }).map(ms => ms / 1000),
    })
    const [plays = []] = fc.sample(fc.array(play, { minLength: 120, maxLength: 120 }), {
      numRuns: 1,
      seed: 11,
    })
    for (const [index, device] of devices.entries())
      await device.send(
        plays
          .filter(each => each.device === index)
          .map(({ offset, result, secondsPlayed }) => playAt(noon + offset, { result, secondsPlayed })),
      )
    for (const zone of ['Europe/Berlin', 'device']) {
      const zoneOf = (device: number) => (zone === 'device' ? (device === 0 ? 'Asia/Tokyo' : 'UTC') : zone)
      const wall = ({ offset, device }: (typeof plays)[number]) =>
        new Date(noon + offset).toLocaleString('sv', { timeZone: zoneOf(device) })
      const counted = plays.filter(each => wall(each) >= PERIOD.from && wall(each) < '2026-11-22')
      const impressions = counted.flatMap(each => {
        const audience = audiences[each.device]
        if (!audience || each.result === 'failed') return []
        const people = audience[Number(wall(each).slice(11, 13))] ?? 0
        return [Math.round((people * each.secondsPlayed * 10_000) / 3600)]
      })
      const zip = await download(shop, ad, { zone })
      const { faults, manifest } = await verify(zip)
      expect(faults).toEqual([])
      const heard = counted.filter(({ result }) => result !== 'failed')
      expect(manifest?.counts).toEqual({
        rows: counted.length,
        devices: 3,
        adPlays: heard.length,
        completePlays: heard.filter(({ result }) => result === 'complete').length,
        failedPlays: counted.length - heard.length,
        secondsPlayed: counted.reduce((sum, each) => sum + Math.round(each.secondsPlayed * 1000), 0) / 1000,
        adPlaysWithAudience: impressions.length,
        grossImpressions: impressions.reduce((sum, each) => sum + each, 0) / 10_000,
      })
      const csv = entriesOf(zip)[PROOF_ENTRIES.csv] ?? ''
      const lines = csv.split('\n')
      expect([lines[0], lines.at(-1), lines.length]).toEqual([PROOF_COLUMNS.join(), '', counted.length + 2])
      expect(csv).toContain(`,"North, ""main""",'=12,,checkout,`)
      expect(createHash('sha256').update(csv).digest('hex')).toBe(manifest?.file.sha256)
    }
  })

  it('says that it counts plays only where no audience is known, and has a heading without plays', async () => {
    const { shop, ad, add } = await makeAd()
    const { manifest: empty } = await verify(await download(shop, ad))
    expect(empty?.counts).toMatchObject({ rows: 0, adPlays: 0, grossImpressions: null })
    await (await add('North', {})).send([playAt(noon)])
    const zip = await download(shop, ad)
    expect((await verify(zip)).manifest?.counts).toMatchObject({ adPlays: 1, grossImpressions: null })
    const command = runCommand(zip)
    expect([command.status, command.stdout]).toEqual([0, expect.stringContaining('not known: no audience')])
  })

  it('is refused with one changed byte anywhere, by the page and by the command', async () => {
    const { shop, ad, add } = await makeAd()
    await (await add('North', { audience: '10' })).send([playAt(noon), playAt(noon + 60_000)])
    const zip = await download(shop, ad)
    expect((await verify(zip)).faults).toEqual([])
    const texts = Object.values(entriesOf(zip)).map(text => [zip.indexOf(text), text.length] as const)
    const isInText = (at: number) => texts.some(([start, length]) => at >= start && at < start + length)
    // Each byte between the entries, and some within.
    for (let at = 0; at < zip.length; at += isInText(at) ? 25 : 1) {
      const changed = Buffer.from(zip)
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
      const { faults } = await verify(changed)
      if (faults.length === 0) throw new Error(`a change of byte ${at} is not seen`)
    }
    for (const changed of [zip.subarray(0, -1), Buffer.concat([zip, Buffer.from('\n')]), Buffer.from('zip')])
      expect((await verify(changed)).faults).not.toEqual([])

    const at = (name: string) => zip.indexOf(entriesOf(zip)[name] ?? 'none')
    for (const [place, says] of [
      [at(PROOF_ENTRIES.csv) + 200, 'plays.csv was changed'],
      [zip.indexOf('"adPlays": 2') + 11, 'manifest.json or its signature was changed'],
      [at(PROOF_ENTRIES.signature) + 5, 'manifest.json or its signature was changed'],
      [zip.length - 2, 'The zip was changed'],
    ] as const) {
      const changed = Buffer.from(zip)
      changed[place] = changed[place] === 0x31 ? 0x32 : 0x31
      const { status, stdout, stderr } = runCommand(changed)
      expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining(says)])
    }
  })

  it('is of the key that the server names, and of no other client’s', async () => {
    const [mine, theirs] = [await makeAd(), await makeAd()]
    const keysOf = async ({ shop }: typeof mine) =>
      server.call(readProofKeys, { params: { client: shop.scope.clientId } })
    const [own, foreign] = [await keysOf(mine), await keysOf(theirs)]
    // Made with the registration.
    expect([own.keys.length, foreign.keys.length]).toEqual([1, 1])
    expect(own.client).toEqual({ uid: mine.shop.scope.clientId, name: 'Olga Owner' })
    const zip = await download(mine.shop, mine.ad)
    const [key = '', other = ''] = [own.keys[0]?.publicKey, foreign.keys[0]?.publicKey]
    expect(await verify(zip, key)).toMatchObject({
      faults: [],
      manifest: { publicKey: key, keyId: own.keys[0]?.keyId },
    })
    expect((await verify(zip, other)).faults).toEqual(['other-key'])
    expect(runCommand(zip, '--key', key).status).toBe(0)
    const refused = runCommand(zip, '--key', other)
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('Another key')])
    // The manifest of one and the signature of another's key.
    const swapped = Buffer.from(zip.toString('latin1').replace(key, other), 'latin1')
    expect((await verify(swapped)).faults).toContain('signature')
    const unknown = { params: { client: randomUUID() } }
    expect((await server.ask(readProofKeys, unknown)).statusCode).toBe(404)
    const strange = await server.ask(downloadProof, {
      token: theirs.shop.token,
      params: { uid: mine.ad, ...PERIOD },
    })
    expect(strange.statusCode).toBe(404)
  })

  it.each([
    [{ from: '2026-11-22' }, 'to'],
    [{ from: '2026-10-01', to: '2026-11-15' }, 'to'],
    [{ zone: 'Mars/Olympus' }, 'zone'],
    [{ from: '2026-02-30' }, 'from'],
  ])('is not made for %o', async (params, path) => {
    const { shop, ad } = await makeAd()
    const asked = { token: shop.token, params: { uid: ad, ...PERIOD, ...params } }
    const answer = await server.ask(downloadProof, asked)
    expect([answer.statusCode, answer.json<{ errors: { path: string }[] }>().errors[0]?.path]).toEqual([
      400,
      path,
    ])
  })
})

describe('the key of a client', () => {
  const auditOf = async (shop: Shop) =>
    (
      await server.call(readAudit, { token: shop.token, params: { id: 'all' }, query: { size: 50 } })
    ).items.map(entry => entry.class)

  it('can be renewed: former proofs stay valid by the retired key; all is audited', async () => {
    const { shop, ad } = await makeAd()
    const before = await download(shop, ad)
    const { keyId } = await server.call(renewProofKey, { token: shop.token })
    const after = await download(shop, ad)
    const { keys } = await server.call(readProofKeys, { params: { client: shop.scope.clientId } })
    expect(keys).toMatchObject([{ keyId, retiredAt: null }, { retiredAt: expect.any(String) as string }])
    expect((await verify(after, keys[0]?.publicKey)).faults).toEqual([])
    expect((await verify(before, keys[1]?.publicKey)).faults).toEqual([])
    expect(await auditOf(shop)).toEqual(
      expect.arrayContaining(['add-proof-key', 'renew-proof-key', 'sign-proof']),
    )
  })

  it('that secret.key does not open is told with what to do, and breaks nothing else', async () => {
    const { shop, ad } = await makeAd()
    const path = join(server.context.settings.dataDir, 'secret.key')
    const bytes = readFileSync(path)
    const answers = []
    for (const lost of [Buffer.alloc(32, 7), Buffer.from('short')]) {
      writeFileSync(path, lost)
      const asked = { token: shop.token, params: { uid: ad, ...PERIOD } }
      answers.push((await server.ask(downloadProof, asked)).json())
    }
    // A client registers meanwhile; its key is made at its first proof.
    const late = await makeAd()
    writeFileSync(path, bytes)
    expect(answers).toEqual(
      Array(2).fill(
        expect.objectContaining({
          status: 503,
          code: 'proof-key',
          detail: expect.stringMatching(/restores .*secret\.key/) as string,
        }),
      ),
    )
    expect((await verify(await download(shop, ad))).faults).toEqual([])
    expect((await verify(await download(late.shop, late.ad))).faults).toEqual([])
  })
})
