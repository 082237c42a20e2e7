import { setTimeout as sleep } from 'node:timers/promises'
import { readDevice } from '@floorcast/contract/devices.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { beforeAll, expect, it } from 'vitest'
import { publishToDevice } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'
import { fillLibrary, wizardPage } from './wizard-page.ts'

/*
 * The output for a screen reader: Chromium's accessibility tree of the main line, the wizard, alerts and lists, written down in
 * `screen-reader/*.txt`. `npx vitest run --project slow e2e/src/console-screen-reader.slow.ts -u` writes them after a change: read them.
 */

const shop = testConsole()
const { begin, chooseAll, next, step } = wizardPage(shop)
let line: { deviceUid: string }

beforeAll(async () => {
  await fillLibrary(shop)
  const songs = await writeSongs(shop.folder, { count: 11, seconds: 8 })
  line = await publishToDevice(shop.client, songs.slice(9, 10), songs.slice(10))
})

/** The tree once it rests: answers that come one after another fill fields one after another. */
async function restingTree(place: 'main' | 'dialog'): Promise<string> {
  await shop.page.locator('[aria-busy=true]').first().waitFor({ state: 'hidden' })
  const read = () => shop.page.getByRole(place).first().ariaSnapshot()
  let tree = await read()
  for (let before = ''; before !== tree; tree = await read()) {
    before = tree
    await sleep(300)
  }
  return tree
}

/** The tree without what differs from run to run: numbers, times and keys. */
async function treeOf(place: 'main' | 'dialog'): Promise<string> {
  const tree = await restingTree(place)
  return `${tree
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UID')
    .replaceAll(/\b[0-9A-Z]{5}(?:-[0-9A-Z]{5}){5}\b/g, 'KEY')
    .replaceAll(/https?:\/\/[\d.:a-z]+/g, 'ORIGIN')
    .replaceAll(
      /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\w*/g,
      'DATE',
    )
    .replaceAll(/\d+(?:[.,:/]\d+)*/g, '#')
    .replaceAll(/# (?:seconds?|minutes?|hours?) ago|(?<=Seen )now/g, 'AGO')}\n`
}
const isAsWritten = async (name: string, place: 'main' | 'dialog' = 'main') =>
  expect(await treeOf(place)).toMatchFileSnapshot(`./screen-reader/${name}.txt`)

it('lists, the main line and its sheet are as written down', async () => {
  await shop.visit('/equipments/groups')
  await shop.page.getByRole('link', { name: 'Food shops' }).waitFor()
  await isAsWritten('list')
  await shop.page.getByRole('button', { name: 'Add a group' }).click()
  await shop.page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor()
  await isAsWritten('form', 'dialog')
  const { playlist } = await shop.client.call(readDevice, { params: { id: line.deviceUid } })
  await shop.visit(`/media/playlistsOne/${playlist?.uid}`)
  await shop.page
    .getByRole('table', { name: 'Tracks' })
    .or(shop.page.getByRole('grid', { name: 'Tracks' }))
    .first()
    .waitFor()
  await shop.page.getByRole('link', { name: 'On air' }).waitFor()
  await isAsWritten('playlist')
  await shop.page.getByRole('link', { name: 'Publish' }).click()
  const name = shop.page.getByRole('dialog').getByRole('textbox', { name: 'Name of the publication' })
  await expect.poll(() => name.inputValue()).toBe('Shop floor')
  await isAsWritten('publish', 'dialog')
})

it('an alert is as written down, from its confirmation on', async () => {
  await shop.visit('/alerts')
  await shop.page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor()
  await isAsWritten('alerts')
  await shop.visit('/equipments/groups')
  await shop.page.getByRole('link', { name: 'City shops' }).click()
  await shop.page.getByRole('link', { name: 'Alert', exact: true }).click()
  await shop.page.getByRole('dialog').getByRole('radio').first().waitFor()
  await isAsWritten('alert-confirmation', 'dialog')
})

it('the steps of the wizard are as written down', async () => {
  await begin('Audio', 30)
  await isAsWritten('wizard-hours')
  await next()
  await step('Ad selection')
  await shop.page.getByRole('checkbox', { name: 'song-7' }).waitFor()
  await isAsWritten('wizard-ads')
  await shop.page.getByRole('button', { name: 'Previous' }).click()
  await step('Working hours')
  await chooseAll()
  await shop.page.getByRole('table').first().waitFor()
  await isAsWritten('wizard-check')
})
