import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readAudit } from '@floorcast/contract/audit.ts'
import {
  downloadProof,
  listProofKeys,
  markProofKey,
  readProofKeys,
  renewProofKey,
} from '@floorcast/contract/proof.ts'
import { findKeyState } from '@floorcast/contract/proof-key-state.ts'
import {
  downloadZip,
  makeProvenAd,
  playAt,
  PROOF_NOON,
  PROOF_NOW,
  PROOF_PERIOD,
  runVerifyProof,
  signAgain,
  verifyBytes,
} from '@floorcast/testing/proof-files.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import type { Shop } from '@floorcast/testing/test-shop.ts'
import { expect, it } from 'vitest'
import { registerProofKeys } from '../proof-keys/proof-keys-routes.ts'
import { registerProof } from './proof-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  features: [registerProofKeys, registerProof, registerAudit, registerDeviceHost],
})
server.clock.now = PROOF_NOW

it.each([
  [
    'another hash of the csv than its parts have',
    (text: string) => text.replace(/"sha256": ".{8}/, '"sha256": "00000000'),
  ],
  [
    'parts that no verifier holds',
    (text: string) => text.replace(/"partBytes": \d+/, '"partBytes": 2000000000'),
  ],
])('a signed proof of play is refused with %s, though a key signed it so', async (_, change) => {
  const { shop, ad, add } = await makeProvenAd(server)
  await (await add('North', {})).send([playAt(PROOF_NOON)])
  const forged = signAgain(await downloadZip(server, shop, { uid: ad }), change)
  const { faults } = await verifyBytes(forged)
  expect(faults.filter(fault => fault === 'csv' || fault === 'manifest')).toHaveLength(1)
  expect(faults).not.toContain('signature')
  expect(faults).not.toContain('container')
  expect(runVerifyProof(forged).status).toBe(1)
})

it('a signed proof of play is of the key that the server names, and of no other client’s', async () => {
  const [mine, theirs] = [await makeProvenAd(server), await makeProvenAd(server)]
  const keysOf = async ({ shop }: typeof mine) =>
    server.call(readProofKeys, { params: { client: shop.scope.clientId } })
  const [own, foreign] = [await keysOf(mine), await keysOf(theirs)]
  // Made with the registration.
  expect([own.keys.length, foreign.keys.length]).toEqual([1, 1])
  expect(own.client).toEqual({ uid: mine.shop.scope.clientId, name: 'Olga Owner' })
  const zip = await downloadZip(server, mine.shop, { uid: mine.ad })
  const [key = '', other = ''] = [own.keys[0]?.publicKey, foreign.keys[0]?.publicKey]
  expect(await verifyBytes(zip, key)).toMatchObject({
    faults: [],
    manifest: { publicKey: key, keyId: own.keys[0]?.keyId },
  })
  expect((await verifyBytes(zip, other)).faults).toEqual(['other-key'])
  expect(runVerifyProof(zip, '--key', key).status).toBe(0)
  const refused = runVerifyProof(zip, '--key', other)
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('Another key')])
  // The manifest of one and the signature of another's key.
  const swapped = Buffer.from(zip.toString('latin1').replace(key, other), 'latin1')
  expect((await verifyBytes(swapped)).faults).toContain('signature')
  const unknown = { params: { client: randomUUID() } }
  expect((await server.ask(readProofKeys, unknown)).statusCode).toBe(404)
  const strange = await server.ask(downloadProof, {
    token: theirs.shop.token,
    params: { uid: mine.ad, ...PROOF_PERIOD },
  })
  expect(strange.statusCode).toBe(404)
})

const auditOf = async (shop: Shop) =>
  (await server.call(readAudit, { token: shop.token, params: { id: 'all' }, query: { size: 50 } })).items.map(
    entry => entry.class,
  )

it('the key of a client can be renewed: former proofs stay valid by the retired key; all is audited', async () => {
  const { shop, ad } = await makeProvenAd(server)
  const before = await downloadZip(server, shop, { uid: ad })
  const { keyId } = await server.call(renewProofKey, { token: shop.token })
  const after = await downloadZip(server, shop, { uid: ad })
  const { keys } = await server.call(readProofKeys, { params: { client: shop.scope.clientId } })
  expect(keys).toMatchObject([{ keyId, retiredAt: null }, { retiredAt: expect.any(String) as string }])
  expect((await verifyBytes(after, keys[0]?.publicKey)).faults).toEqual([])
  expect((await verifyBytes(before, keys[1]?.publicKey)).faults).toEqual([])
  expect(await auditOf(shop)).toEqual(
    expect.arrayContaining(['add-proof-key', 'renew-proof-key', 'sign-proof']),
  )
})

it('the key of a client that others may have is named to all who verify, of former proofs too, and replaced', async () => {
  const [mine, theirs] = [await makeProvenAd(server), await makeProvenAd(server)]
  const { shop, ad } = mine
  const zip = await downloadZip(server, shop, { uid: ad })
  const readKeys = () => server.call(readProofKeys, { params: { client: shop.scope.clientId } })
  const [own] = (await readKeys()).keys
  const since = '2026-11-21T12:00:00.000Z'
  const mark = (token: string, body: object) => server.ask(markProofKey, { token, body })
  const body = { keyId: own?.keyId ?? '', since }
  expect((await mark(theirs.shop.token, body)).statusCode).toBe(404)
  expect((await mark(shop.token, { ...body, since: '2026-11-22T12:00:00.001Z' })).statusCode).toBe(422)
  const [saved, file] = [join(server.context.settings.dataDir, 'keys.json'), { client: shop.scope.clientId }]
  const verifyByKeys = async () => {
    const answer = await server.ask(readProofKeys, { params: file })
    writeFileSync(saved, answer.body)
    return runVerifyProof(zip, '--keys', saved)
  }
  expect(await verifyByKeys()).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('a key of Olga') as string,
  })
  const { keyId } = (await mark(shop.token, body)).json<{ data: { keyId: string } }>().data
  const answer = await readKeys()
  expect(answer.keys).toMatchObject([
    { keyId, retiredAt: null, compromisedSince: null },
    { keyId: own?.keyId, retiredAt: PROOF_NOW.toISOString(), compromisedSince: since },
  ])
  expect(await server.call(listProofKeys, { token: shop.token })).toEqual(answer)
  const { manifest } = await verifyBytes(zip)
  expect(manifest && findKeyState(manifest, answer)).toEqual({
    state: 'compromised',
    since,
    isSaidEarlier: false,
  })
  expect(await verifyByKeys()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`compromised since ${since}`) as string,
  })
  // A former key can be marked too; nothing is replaced then.
  expect((await mark(shop.token, { ...body, since: '2026-11-20T12:00:00.000Z' })).json()).toEqual({
    data: { code: 200 },
  })
  expect((await readKeys()).keys).toHaveLength(2)
  expect(await auditOf(shop)).toContain('mark-proof-key')
  const after = await downloadZip(server, shop, { uid: ad })
  const signed = (await verifyBytes(after)).manifest
  expect(signed && findKeyState(signed, await readKeys())).toEqual({ state: 'own' })
})

it('the key of a client that secret.key does not open is told with what to do, and breaks nothing else', async () => {
  const { shop, ad } = await makeProvenAd(server)
  const path = join(server.context.settings.dataDir, 'secret.key')
  const bytes = readFileSync(path)
  const answers = []
  for (const lost of [Buffer.alloc(32, 7), Buffer.from('short')]) {
    writeFileSync(path, lost)
    const asked = { token: shop.token, params: { uid: ad, ...PROOF_PERIOD } }
    answers.push((await server.ask(downloadProof, asked)).json())
  }
  // A client registers meanwhile; its key is made at its first proof.
  const late = await makeProvenAd(server)
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
  expect((await verifyBytes(await downloadZip(server, shop, { uid: ad }))).faults).toEqual([])
  expect((await verifyBytes(await downloadZip(server, late.shop, { uid: late.ad }))).faults).toEqual([])
})
