import { createHash } from 'node:crypto'
import { buildPath } from '@floorcast/contract/client.ts'
import { downloadProof } from '@floorcast/contract/proof.ts'
import { PROOF_COLUMNS, PROOF_ENTRIES } from '@floorcast/contract/proof-file.ts'
import {
  downloadZip,
  entriesOf,
  makeProvenAd,
  playAt,
  PROOF_NOON,
  PROOF_NOW,
  PROOF_PERIOD,
  runVerifyProof,
  verifyBytes,
} from '@floorcast/testing/proof-files.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { registerProof } from './proof-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({ features: [registerProof, registerTags, registerDeviceHost] })
server.clock.now = PROOF_NOW

it('a signed proof of play has each play once, and the totals of a plain count; impressions by hour', async () => {
  const { shop, ad, add } = await makeProvenAd(server)
  const byHour = Array.from({ length: 24 }, (_, hour) => hour * 100)
  const audiences = [byHour, Array<number>(24).fill(360), null]
  const devices = await Promise.all([
    add('North, "main"', { audience: byHour.join(), zone: 'checkout', timeZone: 'Asia/Tokyo' }),
    add('South', { audience: '360' }),
    add('West', {}),
  ])
  const play = fc.record({
    device: fc.nat(2),
    late: fc.nat(3_000_000),
    result: fc.constantFrom('complete', 'joined', 'cut', 'failed'),
    secondsPlayed: fc.integer({ min: 0, max: 60_000 }).map(ms => ms / 1000),
  })
  const [samples = []] = fc.sample(fc.array(play, { minLength: 120, maxLength: 120 }), {
    numRuns: 1,
    seed: 11,
  })
  // Fifty-three minutes from one to the next, over three nights.
  const plays = samples.map(({ late, ...each }, nr) => ({
    ...each,
    offset: nr * 3_180_000 + late - 60 * 3_600_000,
    secondsPlayed: each.result === 'complete' ? 60 : each.secondsPlayed,
  }))
  for (const [index, device] of devices.entries())
    await device.send(
      plays
        .filter(each => each.device === index)
        .map(({ offset, result, secondsPlayed }) => playAt(PROOF_NOON + offset, { result, secondsPlayed })),
    )
  for (const zone of ['Europe/Berlin', 'device']) {
    const zoneOf = (device: number) => (zone === 'device' ? (device === 0 ? 'Asia/Tokyo' : 'UTC') : zone)
    const wall = ({ offset, device }: (typeof plays)[number]) =>
      new Date(PROOF_NOON + offset).toLocaleString('sv', { timeZone: zoneOf(device) })
    const counted = plays.filter(each => wall(each) >= PROOF_PERIOD.from && wall(each) < '2026-11-22')
    const impressions = counted.flatMap(each => {
      const audience = audiences[each.device]
      if (!audience || each.result === 'failed') return []
      const people = audience[Number(wall(each).slice(11, 13))] ?? 0
      return [Math.round((people * each.secondsPlayed * 10_000) / 3600)]
    })
    const zip = await downloadZip(server, shop, { uid: ad, zone })
    const { faults, manifest } = await verifyBytes(zip)
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
      leftOut: {},
    })
    const csv = entriesOf(zip)[PROOF_ENTRIES.csv] ?? ''
    const lines = csv.split('\n')
    expect([lines[0], lines.at(-1), lines.length]).toEqual([PROOF_COLUMNS.join(), '', counted.length + 2])
    expect(csv).toContain(`,"North, ""main""",'=12,,checkout,`)
    expect(createHash('sha256').update(csv).digest('hex')).toBe(manifest?.file.sha256)
  }
})

it('a signed proof of play of many plays has each once, in the order of start, device and event', async () => {
  const { shop, ad, add } = await makeProvenAd(server)
  const devices = await Promise.all([add('North', {}), add('South', { timeZone: 'Asia/Tokyo' })])
  for (const device of devices) await device.send([playAt(PROOF_NOON)])
  // Twenty begin at once, so that a page ends among them.
  const { rowCount } = await asSuperuser(server.superuserUrl, superuser =>
    superuser.query(
      `insert into plays select (jsonb_populate_record(p, jsonb_build_object('sequence', 100 + n, 'event_uid', gen_random_uuid(),
         'started_at', '2026-11-20T00:00:00Z'::timestamptz + n / 10 * interval '90 seconds',
         'left_out', case when n % 400 = 0 then 'too-many' end))).*
       from plays p, generate_series(1, 6010) n where p.media_uid = $1`,
      [ad],
    ),
  )
  const zip = await downloadZip(server, shop, { uid: ad, zone: 'device' })
  const { faults, manifest } = await verifyBytes(zip)
  expect(faults).toEqual([])
  expect(rowCount).toBe(12_020)
  expect(manifest?.counts).toMatchObject({ rows: 12_022 - 30, leftOut: { 'too-many': 30 } })
  const rows = (entriesOf(zip)[PROOF_ENTRIES.csv] ?? '').split('\n').slice(1, -1)
  const keys = rows.map(row => row.split(',')).map(cells => `${cells[1]} ${cells[5]} ${cells[0]}`)
  expect(keys).toEqual(keys.toSorted())
  expect(new Set(keys).size).toBe(keys.length)
})

it.each(['GET', 'HEAD'] as const)(
  'a signed proof of play of an ad of another client: 404 to %s',
  async method => {
    const [{ shop }, { ad }] = [await makeProvenAd(server), await makeProvenAd(server)]
    const answer = await server.http.app.inject({
      method,
      url: buildPath(downloadProof.path, { uid: ad, ...PROOF_PERIOD }),
      headers: { authorization: `Bearer ${shop.token}` },
    })
    expect(answer.statusCode).toBe(404)
  },
)

it('a signed proof of play says that it counts plays only where no audience is known, and has a heading without plays', async () => {
  const { shop, ad, add } = await makeProvenAd(server)
  const { manifest: empty } = await verifyBytes(await downloadZip(server, shop, { uid: ad }))
  expect(empty?.counts).toMatchObject({ rows: 0, adPlays: 0, grossImpressions: null })
  await (await add('North', {})).send([playAt(PROOF_NOON)])
  const zip = await downloadZip(server, shop, { uid: ad })
  expect((await verifyBytes(zip)).manifest?.counts).toMatchObject({ adPlays: 1, grossImpressions: null })
  const command = runVerifyProof(zip)
  expect([command.status, command.stdout]).toEqual([0, expect.stringContaining('not known: no audience')])
})

it('a signed proof of play is refused with one changed byte anywhere, by the page and by the command', async () => {
  const { shop, ad, add } = await makeProvenAd(server)
  await (await add('North', { audience: '10' })).send([playAt(PROOF_NOON), playAt(PROOF_NOON + 60_000)])
  const zip = await downloadZip(server, shop, { uid: ad })
  expect((await verifyBytes(zip)).faults).toEqual([])
  const texts = Object.values(entriesOf(zip)).map(text => [zip.indexOf(text), text.length] as const)
  const isInText = (at: number) => texts.some(([start, length]) => at >= start && at < start + length)
  // Each byte between the entries, and some within.
  for (let at = 0; at < zip.length; at += isInText(at) ? 25 : 1) {
    const changed = Buffer.from(zip)
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
    const { faults } = await verifyBytes(changed)
    if (faults.length === 0) throw new Error(`a change of byte ${at} is not seen`)
  }
  for (const changed of [zip.subarray(0, -1), Buffer.concat([zip, Buffer.from('\n')]), Buffer.from('zip')])
    expect((await verifyBytes(changed)).faults).not.toEqual([])

  const at = (name: string) => zip.indexOf(entriesOf(zip)[name] ?? 'none')
  for (const [place, says] of [
    [at(PROOF_ENTRIES.csv) + 200, 'plays.csv was changed'],
    [zip.indexOf('"adPlays": 2') + 11, 'manifest.json or its signature was changed'],
    [at(PROOF_ENTRIES.signature) + 5, 'manifest.json or its signature was changed'],
    [zip.length - 2, 'The zip was changed'],
  ] as const) {
    const changed = Buffer.from(zip)
    changed[place] = changed[place] === 0x31 ? 0x32 : 0x31
    const { status, stdout, stderr } = runVerifyProof(changed)
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining(says)])
  }
})

it.each([
  [{ from: '2026-11-22' }, 'to'],
  [{ from: '2026-10-01', to: '2026-11-15' }, 'to'],
  [{ zone: 'Mars/Olympus' }, 'zone'],
  [{ zone: 'IST' }, 'zone'],
  [{ from: '2026-02-30' }, 'from'],
])('a signed proof of play is not made for %o', async (params, path) => {
  const { shop, ad } = await makeProvenAd(server)
  const asked = { token: shop.token, params: { uid: ad, ...PROOF_PERIOD, ...params } }
  const answer = await server.ask(downloadProof, asked)
  expect([answer.statusCode, answer.json<{ errors: { path: string }[] }>().errors[0]?.path]).toEqual([
    422,
    path,
  ])
})
