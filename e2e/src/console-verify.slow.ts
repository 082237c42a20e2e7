import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { signAgain } from '@floorcast/testing/proof-files.ts'
import { expect, it } from 'vitest'
import { listMedia } from '@floorcast/contract/media.ts'
import { publishToDevice, uploadFile } from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { readDelivery } from '@floorcast/contract/delivery-report.ts'
import { downloadProof, listProofKeys } from '@floorcast/contract/proof.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import { findAxeViolations, measureOverflow } from './page-checks.ts'

const shop = testConsole()

it('anyone verifies a proof of play without an account; one changed byte is seen', async () => {
  const [song] = await writeSongs(shop.folder, { count: 1, seconds: 4 })
  const uid = await uploadFile(shop.client, 'ads', song?.path ?? '')
  const today = new Date().toISOString().slice(0, 10)
  const path = buildPath(downloadProof.path, { uid, from: today, to: today, zone: 'Europe/Berlin' })
  const answer = await fetch(shop.url + path, { headers: { authorization: `Bearer ${shop.client.token}` } })
  const file = join(shop.folder, 'proof.zip')
  await writeFile(file, Buffer.from(await answer.arrayBuffer()))

  const { page } = shop
  const uploads: string[] = []
  page.on('request', request => {
    if (request.method() !== 'GET') uploads.push(request.url())
  })
  await page.goto(`${shop.url}/verify`)
  await shop.heading('Verify a proof of play')
  const check = async (chosen: string) => {
    const dialog = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose a file' }).click()
    await (await dialog).setFiles(chosen)
  }
  await check(file)
  await page.getByText('Valid, signed by Olga Petrova').waitFor()
  await page.getByText('Not known: no audience is stated').waitFor()
  expect(await findAxeViolations(page)).toEqual([])

  const days = '{ "from": "2026-11-28", "to": "2026-11-30", "devices": 2 }'
  const afterRestore = join(shop.folder, 'restored.zip')
  const mark = (manifest: string) =>
    manifest.replace('"formula"', `"restored": { "awaited": ${days}, "lost": ${days} },\n  "formula"`)
  await writeFile(afterRestore, signAgain(await readFile(file), mark))
  await check(afterRestore)
  await page.getByText(/28.* to .*30.* may follow; devices that have not delivered again: 2/).waitFor()
  await page.getByText(/may be lost; devices that no longer have them: 2/).waitFor()

  const changed = await readFile(file)
  const place = changed.indexOf('event_uid')
  changed[place] = 0x45
  const other = join(shop.folder, 'changed.zip')
  await writeFile(other, changed)
  await check(other)
  await page.getByText('changed.zip is not valid').waitFor()
  await page.getByText('plays.csv was changed').waitFor()
  await page.setViewportSize({ width: 400, height: 800 })
  expect([await measureOverflow(page), uploads]).toEqual([0, []])
})

it('an ad’s page leads to its proof of play by shop and day', async () => {
  const songs = await writeSongs(shop.folder, { count: 2, seconds: 4 })
  await publishToDevice(shop.client, songs.slice(0, 1), songs.slice(1))
  const { items } = await shop.client.call(listMedia, { params: { contentType: 'ads' }, query: {} })
  const ad = items[0]?.uid ?? ''
  // Until its first play is due, the proof has no row.
  const readPlanned = async () => {
    const { publications } = await shop.client.call(readDelivery, { params: { uid: ad } })
    return publications[0]?.promised ?? 0
  }
  await expect.poll(readPlanned, { timeout: 60_000, interval: 500 }).toBeGreaterThan(0)
  const { page } = shop
  await shop.visit('/home/reports?report=proof')
  await page.getByText('This report is about one track or ad.').waitFor()
  expect(await page.getByRole('button', { name: 'Download' }).isDisabled()).toBe(true)
  await shop.visit(`/media/adsOne/${ad}`)
  expect(await page.getByText('ISRC', { exact: true }).count()).toBe(0)
  await page.getByRole('tab', { name: 'Delivery' }).click()
  await page.getByRole('columnheader', { name: 'Aired of booked' }).waitFor()
  await page.getByRole('cell', { name: '0%', exact: true }).waitFor()
  await page.getByText(/^the device has never been online: \d+$/).waitFor()
  await page.getByRole('link', { name: 'Proof of play', exact: true }).click()
  const table = page.getByRole('table', { name: 'Proof of play of an ad' })
  await table.getByRole('cell', { name: 'Till 1' }).waitFor()
  await table.getByRole('cell', { name: 'the device has never been online' }).waitFor()
  await page.getByText('No audience is known for this ad').waitFor()
  expect(await findAxeViolations(page)).toEqual([])
})

/** The fingerprint as the console shows it. */
const showKeyId = (keyId: string) => keyId.match(/.{4}/g)?.join(' ') ?? ''

it('the keys of proofs are renewed, and one that others may have is marked after what follows was read', async () => {
  const { page } = shop
  const dialog = page.getByRole('dialog')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const toast = (text: string) => page.getByRole('status').getByText(text).waitFor()
  const look = new ConsolePage(page, 'proof-keys')
  await shop.visit('/security/proofKeys')
  await shop.heading('Proof keys')
  const { keys: before } = await shop.client.call(listProofKeys, {})
  const first = before[0]?.keyId ?? ''
  await page.getByText(showKeyId(first)).waitFor()
  await button('Renew').click()
  await dialog.getByText('Proofs that the former key has signed stay valid.').waitFor()
  await dialog.getByRole('button', { name: 'Renew' }).click()
  await toast('Proofs are signed with a new key now')
  const former = page.getByRole('table', { name: 'Former keys' })
  await former
    .getByRole('row', { name: `${showKeyId(first)} `, exact: false })
    .getByText('Its proofs are valid')
    .waitFor()
  const { keys } = await shop.client.call(listProofKeys, {})
  const signing = keys[0]?.keyId ?? ''
  expect(signing).not.toBe(first)

  await button('Mark as compromised').click()
  await dialog.getByText('The key signs nothing more. A new one is made at once.').waitFor()
  const since = dialog.getByRole('textbox', { name: 'In other hands since' })
  const mark = dialog.getByRole('button', { name: 'Mark as compromised' })
  await mark.click()
  await dialog.getByText('Cannot be empty').waitFor()
  await since.fill('1/1/2099')
  await mark.click()
  await dialog.getByText('Not in the future').waitFor()
  await since.fill('27 Nov 2020')
  await dialog.getByRole('textbox', { name: 'Time' }).fill('9.30')
  await look.screenshot('mark')
  expect(await findAxeViolations(page)).toEqual([])
  await mark.click()
  await toast(`${showKeyId(signing)} is marked as compromised`)
  await former.getByText(/^Compromised since 27\sNov\s2020/).waitFor()
  const marked = (await shop.client.call(listProofKeys, {})).keys
  expect(marked[0]?.keyId).not.toBe(signing)
  const isMarked = marked.find(({ keyId }) => keyId === signing)
  expect(isMarked?.compromisedSince).toBe(new Date('2020-11-27T09:30').toISOString())
  await look.screenshot('marked')
  expect(await findAxeViolations(page)).toEqual([])

  await shop.visit('/security/audit')
  const line = page.getByRole('row').filter({ hasText: 'Proof key marked as compromised' })
  await line.getByRole('button', { name: /Show the change|more/ }).click()
  await dialog.getByRole('row', { name: /^Compromised since Nothing/i }).waitFor()
})
