import { beforeAll, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { inviteReader } from './client-fixture.ts'
import { fillLibrary, wizardPage } from './wizard-page.ts'

const shop = testConsole()
const { button, ribbon, setManual, begin, chooseAll, finish } = wizardPage(shop)

beforeAll(() => fillLibrary(shop))

it('the check step answers while one drags', async () => {
  await begin('Audio', 30)
  await chooseAll()
  const blocks = () => ribbon().getAttribute('aria-valuemax')
  const before = await blocks()
  await setManual('background')
  const thumb = shop.page.getByRole('slider', { name: 'Background blocks' })
  const box = await thumb.boundingBox()
  if (!box) throw new Error('No thumb to drag')
  const { mouse } = shop.page
  await mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await mouse.down()
  for (let moved = 4; moved <= 200; moved += 4) await mouse.move(box.x + moved, box.y + 8)
  // The pointer is still down.
  await expect.poll(blocks).not.toBe(before)
  await mouse.up()
})

it('who may only read is shown a planned day without a button that does nothing', async () => {
  await begin('Audio', 30)
  await chooseAll()
  await finish('For readers too')
  await shop.heading('Playlists')
  await shop.openPage()
  await shop.visit('/media/playlists', await inviteReader(shop.client))
  const main = shop.page.getByRole('main')
  await shop.heading('Playlists')
  await shop.page.getByRole('link', { name: 'For readers too' }).click()
  await ribbon().waitFor()
  for (const name of ['Plan again', 'Activate', 'Publish', 'New smart playlist'])
    expect(await main.getByText(name, { exact: true }).count(), name).toBe(0)
  // View-only access can play a block.
  await button('Play this block').click()
  await shop.page.getByLabel(/^Player: song-/).waitFor()
})
