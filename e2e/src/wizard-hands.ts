import type { ConsoleUnderTest } from './console-under-test.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { uploadFile } from './line.ts'

/** Six melodies and three ads of eight to ten seconds: song-1 to song-6, and song-7 to song-9. */
export async function fillLibrary(shop: ConsoleUnderTest): Promise<void> {
  const songs = await writeSongs(shop.folder, { count: 9, seconds: 8 })
  for (const song of songs.slice(0, 6)) await uploadFile(shop.client, 'melodies', song.path)
  for (const song of songs.slice(6)) await uploadFile(shop.client, 'ads', song.path)
}

/** What a person does in the wizard. */
export function wizardHands(shop: ConsoleUnderTest) {
  const button = (name: string | RegExp) => shop.page.getByRole('button', { name, exact: true })
  const next = () => button('Next').click()
  const step = (name: string) => shop.page.getByRole('group', { name, exact: true }).waitFor()
  const told = (text: string | RegExp) => shop.page.getByRole('main').getByRole('alert').getByText(text)
  const tick = (name: string) => shop.page.getByRole('checkbox', { name, exact: true }).check()
  const ribbon = () => shop.page.getByRole('slider', { name: /Blocks of the day/ })

  /** Begins a wizard of the type, with a window of `minutes` from eight o'clock. */
  async function begin(type: 'Audio' | 'Video', minutes: number): Promise<void> {
    await shop.visit('/media/wizard')
    await shop.page.getByRole('button', { name: new RegExp(`^${type}`) }).click()
    await step('Working hours')
    await shop.page.getByText('Set hours').click()
    await shop.page.getByLabel('Start', { exact: true }).fill('08:00')
    await shop.page.getByLabel('End', { exact: true }).fill(`08:${String(minutes).padStart(2, '0')}`)
  }

  /** On to the check step, with all ads and all background of the type. */
  async function chooseAll(): Promise<void> {
    await next()
    await step('Ad selection')
    await button(/^Select all \d/).click()
    await shop.page.getByRole('list', { name: 'Chosen ads' }).waitFor()
    await next()
    await step('Background selection')
    await button(/^Select all \d/).click()
    await shop.page.getByRole('list', { name: 'Chosen background' }).waitFor()
    await next()
    await step('Playlist check')
    await ribbon().waitFor()
  }

  async function finish(name: string): Promise<void> {
    await shop.page.getByRole('textbox', { name: 'Name' }).fill(name)
    await button('Finish').click()
  }
  return { button, next, step, told, tick, ribbon, begin, chooseAll, finish }
}
