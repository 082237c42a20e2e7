import { deleteMedia } from '@floorcast/contract/media.ts'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeSong, writeSongs } from '@floorcast/testing/media-song.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations, measureOverflow } from './page-checks.ts'
import { inviteReader, uploadFile } from './client-fixture.ts'
import { readSmartDraft } from './smart-draft.ts'
import { fillLibrary, wizardPage } from './wizard-page.ts'

const shop = testConsole()
const { button, next, step, alertWith, tick, ribbon, setManual, setMinutes, begin, chooseAll, finish } =
  wizardPage(shop)

beforeAll(() => fillLibrary(shop))

describe('what the wizard refuses', () => {
  it('hours that are equal, or none', async () => {
    await begin('Audio', 0)
    await alertWith('Start and end are the same').waitFor()
    await next()
    await step('Working hours')
    await shop.page.getByRole('combobox', { name: 'End', exact: true }).fill('')
    await alertWith('Enter the end of the working hours').waitFor()
    await shop.page.getByRole('combobox', { name: 'End', exact: true }).fill('07:00')
    await shop.page.getByText(/^23\shr of playing each day, over midnight/).waitFor()
    await next()
    await step('Ad selection')
  })

  it('empty lists, at their steps', async () => {
    await begin('Audio', 30)
    await next()
    await step('Ad selection')
    expect(await alertWith('No ads are chosen').count()).toBe(0)
    await next()
    await alertWith('No ads are chosen').waitFor()
    await tick('song-7')
    await alertWith('No ads are chosen').waitFor({ state: 'hidden' })
    await next()
    await step('Background selection')
    await next()
    await alertWith('No background is chosen').waitFor()
  })

  it('blocks without a length, weights and crossfades that are none', async () => {
    await begin('Audio', 30)
    await next()
    await tick('song-7')
    await setMinutes('ad', '0')
    await alertWith('Enter how many minutes an ad block takes').waitFor()
    await next()
    await step('Ad selection')
    await shop.page.getByText('Automatic', { exact: true }).click()
    const weight = shop.page.getByRole('textbox', { name: 'Weight of song-7, 1 to 10' })
    for (const bad of ['', '0', '11']) {
      await weight.fill(bad)
      await alertWith(/Give “?song-7”? a weight from 1 to 10/).waitFor()
      await next()
      await step('Ad selection')
    }
    await weight.fill('10')
    await alertWith('Give song-7 a weight').waitFor({ state: 'hidden' })
    await next()
    await step('Background selection')
    await tick('song-1')
    const crossfade = shop.page.getByLabel('Crossfade in seconds')
    for (const bad of ['11', '']) {
      await crossfade.fill(bad)
      await alertWith('Enter a crossfade of 0 to 10 seconds').waitFor()
      await next()
      await step('Background selection')
    }
    await crossfade.fill('6')
    await alertWith('Enter a crossfade').waitFor({ state: 'hidden' })
    await shop.page.getByText('4 s here: never more than half of the shortest track').waitFor()
    await next()
    await step('Playlist check')
  })

  it('ads that would not all be heard, however they are chosen', async () => {
    await begin('Audio', 1)
    await next()
    await button('Select all 3').click()
    await shop.page.getByRole('textbox', { name: 'Weight of song-7, 1 to 10' }).fill('10')
    await next()
    await step('Background selection')
    await tick('song-1')
    await tick('song-2')
    await setMinutes('background', '0.8')
    await next()
    await step('Playlist check')
    await alertWith('would be heard less than once').waitFor()
    await button('Finish').click()
    await button('Go to: Ad selection').first().click()
    await step('Ad selection')
    await shop.page.getByRole('textbox', { name: 'Weight of song-7, 1 to 10' }).fill('1')
    await alertWith(/song-\d”? would never be heard/).waitFor()
    await shop.page.getByRole('navigation').getByRole('button', { name: 'Background selection' }).click()
    await step('Ad selection')
    await button('Remove song-8').click()
    await button('Remove song-9').click()
    await next()
    await step('Background selection')
    // A background block as long as the window leaves no time for ads.
    await setMinutes('background', '1')
    await alertWith('no time is left for ads').waitFor()
    await next()
    await step('Background selection')
    await setMinutes('background', '0.8')
    await alertWith('no time is left for ads').waitFor({ state: 'hidden' })
    await next()
    await step('Playlist check')
  })

  it('background far beyond its time, and says how much is not heard before', async () => {
    await begin('Audio', 5)
    await next()
    await tick('song-7')
    await setMinutes('ad', '1')
    await next()
    await button('Select all 6').click()
    await setMinutes('background', '0.08')
    await shop.page.getByText(/background tracks? would not be heard/).waitFor()
    await setMinutes('background', '0.01')
    await alertWith(/over ten times the 3\ssec that it gets/).waitFor()
    await next()
    await step('Background selection')
  })

  it('content of less than a second, and a track that is longer than the window', async () => {
    await begin('Audio', 1)
    const blip = join(shop.folder, 'blip.mp3')
    await writeFile(blip, makeSong({ notes: [5], seconds: 0.6 }))
    const blipUid = await uploadFile(shop.client, 'ads', blip)
    const long = (await writeSongs(shop.folder, { count: 10, seconds: 68 })).at(-1)
    const uid = await uploadFile(shop.client, 'melodies', long?.path ?? '')
    await next()
    await tick('blip')
    await alertWith('The chosen ads last less than a second').waitFor()
    await next()
    await step('Ad selection')
    await tick('song-7')
    await next()
    await step('Background selection')
    await shop.client.call(deleteMedia, { params: { contentType: 'ads' }, body: { uid: blipUid } })
    await button('Select all 7').click()
    await alertWith(/“?song-10”? is longer than the working hours \(1\smin\)/).waitFor()
    await next()
    await step('Background selection')
    await shop.client.call(deleteMedia, { params: { contentType: 'melodies' }, body: { uid } })
  })
})

describe('the check step', () => {
  it('answers while one drags, and shuffles', async () => {
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
    const first = () => shop.page.getByRole('region', { name: 'Block 1', exact: true }).textContent()
    const order = await first()
    await button('Reshuffle').click()
    await expect.poll(first).not.toBe(order)
  })

  it('counts plays and seconds by hour, by track and by kind', async () => {
    await begin('Audio', 30)
    await chooseAll()
    const table = shop.page.getByRole('group', { name: 'Hour by hour' })
    await table.getByRole('row', { name: /^song-7 / }).waitFor()
    await shop.page.getByText('Kinds', { exact: true }).click()
    await shop.page.getByText('Seconds', { exact: true }).click()
    const seconds = async (kind: string) => {
      const words = await table.getByRole('row', { name: new RegExp(`^${kind} `) }).textContent()
      return Number(words?.replace(kind, '').replaceAll(',', '').slice(0, 4))
    }
    await expect
      .poll(async () => (await seconds('Ads')) + (await seconds('Background')))
      .toBeGreaterThan(1780)
  })

  it('names what has left the library since, and brings the lists up to date', async () => {
    const late = (await writeSongs(shop.folder, { count: 11, seconds: 9 })).at(-1)
    const uid = await uploadFile(shop.client, 'ads', late?.path ?? '')
    await begin('Audio', 30)
    await chooseAll()
    await shop.client.call(deleteMedia, { params: { contentType: 'ads' }, body: { uid } })
    await finish('Came too late')
    await alertWith('“song-11” is in the recycle bin').waitFor()
    await button('Bring the lists up to date').click()
    await expect.poll(() => shop.page.getByRole('row', { name: /^song-11 / }).count()).toBe(0)
    await finish('Came too late')
    await shop.heading('Playlists')
    expect((await readSmartDraft(shop, 'Came too late')).adsList).toHaveLength(3)
  })

  it('stays with all that was chosen when the server is gone, says so, and finishes once it is back', async () => {
    await begin('Audio', 30)
    await chooseAll()
    await shop.toasterHasCome()
    await shop.page.route('**', route => route.abort('connectionrefused'))
    await finish('Held back')
    await alertWith('The server does not answer').waitFor()
    // The alert is in view, although the button is at the end of a long page.
    await expect
      .poll(() => shop.page.evaluate(() => document.activeElement?.textContent))
      .toContain('does not answer')
    await shop.page.getByText('Fatal error').waitFor()
    await shop.page.unroute('**')
    await button('Finish').click()
    await shop.heading('Playlists')
    await shop.page.getByRole('link', { name: 'Held back' }).waitFor()
  })

  it.each([
    { name: 'wide', width: 1440 },
    { name: 'narrow', width: 400 },
  ])('is whole when $name, and its ribbon is drawn', async ({ width }) => {
    await begin('Audio', 30)
    await shop.page.setViewportSize({ width, height: 900 })
    await chooseAll()
    expect(await measureOverflow(shop.page)).toBe(0)
    const drawn = () =>
      ribbon()
        .locator('canvas')
        .evaluate(canvas => {
          const { width: wide, height } = canvas as HTMLCanvasElement
          const paint = (canvas as HTMLCanvasElement).getContext('2d')
          const { data } = paint?.getImageData(0, Math.round(height * 0.8), wide, 1) ?? { data: [] }
          return new Set(Array.from({ length: wide }, (_, x) => data.slice(x * 4, x * 4 + 3).join())).size
        })
    await expect.poll(drawn).toBeGreaterThan(1)
  })
})

describe('who may only read', () => {
  it('is told so, and meets no button that does nothing', async () => {
    await shop.visit('/media/wizard', await inviteReader(shop.client))
    await shop.page.getByText('You have view-only access').waitFor()
    const main = shop.page.getByRole('main')
    expect(await main.getByRole('button').count()).toBe(0)
    expect(await findAxeViolations(shop.page)).toEqual([])
    await main.getByRole('link', { name: 'Playlists' }).click()
    await shop.heading('Playlists')
    await shop.page.getByRole('link', { name: 'Came too late' }).click()
    await ribbon().waitFor()
    for (const name of ['Plan again', 'Activate', 'Publish', 'New smart playlist'])
      expect(await main.getByText(name, { exact: true }).count(), name).toBe(0)
    // View-only access can play a block.
    await button('Play this block').click()
    await shop.page.getByLabel(/^Player: song-/).waitFor()
  })
})
