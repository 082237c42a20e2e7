import { readFile } from 'node:fs/promises'
import { readMedia } from '@floorcast/contract/media.ts'
import { mp3Fixtures, taggedFixtures } from '@floorcast/testing/media-fixtures.ts'
import { beforeAll, expect, it } from 'vitest'
import { uploadFile } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations } from './page-checks.ts'

const shop = testConsole()
const uids: string[] = []

beforeAll(async () => {
  for (const path of [taggedFixtures[1]?.path ?? '', mp3Fixtures.mono.path])
    uids.push(await uploadFile(shop.client, 'melodies', path))
})

const card = (uid = '') => shop.client.call(readMedia, { params: { contentType: 'melodies', uid } })
const chooseMenuItem = async (name: string) => {
  await shop.page.getByRole('button', { name: 'Credits', exact: true }).click()
  await shop.page.getByRole('menuitem', { name }).click()
}

async function chooseFile(csv: string): Promise<void> {
  const [chooser] = await Promise.all([
    shop.page.waitForEvent('filechooser'),
    shop.page.getByRole('button', { name: 'Choose a file' }).click(),
  ])
  await chooser.setFiles({ name: 'credits.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
}

it('the credits of melodies go out as csv and come back, after a preview of the changes and the errors', async () => {
  await shop.visit('/media/melodies')
  await shop.page.getByText('AC/DC').waitFor()
  const download = shop.page.waitForEvent('download')
  await chooseMenuItem('Save as csv')
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(csv).toContain(`${uids[1]},mono,,,,,`)
  await chooseMenuItem('Change by csv')
  const dialog = shop.page.getByRole('dialog')
  await chooseFile(csv.replace('mono,,,,,', "mono,'+Artist,,US-RC1-7,,"))
  await dialog.getByText('is not an ISRC').waitFor()
  expect(await findAxeViolations(shop.page)).toEqual([])
  await chooseFile(csv.replace('mono,,,,,', "mono,'+Artist,,us-rc1-76-07840,,"))
  await dialog.getByText('1 item changes, 1 stay as they are').waitFor()
  await dialog.getByText('US-RC1-76-07840').waitFor()
  expect(await findAxeViolations(shop.page)).toEqual([])
  expect(await card(uids[1])).toMatchObject({ artist: '', isrc: '' })
  await dialog.getByRole('button', { name: 'Change 1 item' }).click()
  await dialog.waitFor({ state: 'detached' })
  await shop.page.getByText('+Artist').waitFor()
  expect(await card(uids[1])).toMatchObject({ artist: '+Artist', isrc: 'USRC17607840' })
})

it('the credits of melodies are edited in the form, with a refusal at the ISRC, and filtered by its absence', async () => {
  await shop.visit(`/media/melodiesOne/${uids[0]}`)
  await shop.page.getByText('US-RC1-76-07839').waitFor()
  await shop.page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = shop.page.getByRole('dialog')
  await form.getByLabel('ISRC').fill('nonsense')
  await form.getByText('Enter an ISRC, such as').waitFor()
  await form.getByLabel('ISRC').fill('')
  await form.getByLabel('Publisher').fill('South & Sons')
  await form.getByRole('button', { name: 'Save' }).click()
  await shop.page.getByText('South & Sons').waitFor()
  await shop.visit('/media/melodies')
  await shop.page.getByRole('button', { name: 'ISRC', exact: true }).click()
  await shop.page.getByRole('menuitem', { name: 'without ISRC' }).click()
  await shop.page.getByRole('link', { name: 'mono' }).waitFor({ state: 'detached' })
  await shop.page.getByRole('link', { name: 'credits-id3v24' }).waitFor()
})
