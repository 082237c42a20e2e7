import type { ConsoleUnderTest } from './console-under-test.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { uploadFile } from './client-fixture.ts'

/** Six melodies and three ads of eight to ten seconds: song-1 to song-6, and song-7 to song-9. */
export async function fillLibrary(shop: ConsoleUnderTest): Promise<void> {
  const songs = await writeSongs(shop.folder, { count: 9, seconds: 8 })
  for (const song of songs.slice(0, 6)) await uploadFile(shop.client, 'melodies', song.path)
  for (const song of songs.slice(6)) await uploadFile(shop.client, 'ads', song.path)
}

/** The wizard's step buttons and block lengths. */
function wizardControls(shop: ConsoleUnderTest) {
  /** Opens a visited step by its button. */
  const openStep = (name: string) =>
    shop.page
      .getByRole('navigation', { name: 'Steps of the wizard' })
      .getByRole('button', { name: new RegExp(name) })
      .click()

  /** Lets the length of the blocks be set by hand. */
  const setManual = (kind: 'ad' | 'background') =>
    shop.page
      .getByRole('radiogroup', { name: kind === 'ad' ? 'Ad blocks' : 'Background blocks' })
      .getByText('Manual', { exact: true })
      .click()

  async function setMinutes(kind: 'ad' | 'background', minutes: string): Promise<void> {
    await setManual(kind)
    const label = kind === 'ad' ? 'Minutes of an ad block' : 'Minutes of a background block'
    await shop.page.getByLabel(label).fill(minutes)
  }

  return { setManual, setMinutes, openStep }
}

/** Page object of the wizard. */
export function wizardPage(shop: ConsoleUnderTest) {
  const button = (name: string | RegExp) => shop.page.getByRole('button', { name, exact: true })
  const next = () => button('Next').click()
  const step = (name: string) => shop.page.getByRole('group', { name, exact: true }).waitFor()
  const alertWith = (text: string | RegExp) => shop.page.getByRole('main').getByRole('alert').getByText(text)
  const tick = (name: string) => shop.page.getByRole('checkbox', { name, exact: true }).check()
  const ribbon = () => shop.page.getByRole('slider', { name: /Blocks of the day/ })

  /** Opens the wizard and sets type and a window of `minutes` from 08:00. */
  async function begin(type: 'Audio' | 'Video', minutes: number): Promise<void> {
    await shop.visit('/media/wizard')
    await shop.page.getByRole('button', { name: new RegExp(`^${type}`) }).click()
    await step('Working hours')
    await shop.page.getByText('Set hours').click()
    await shop.page.getByRole('combobox', { name: 'Start', exact: true }).fill('08:00')
    await shop.page
      .getByRole('combobox', { name: 'End', exact: true })
      .fill(`08:${String(minutes).padStart(2, '0')}`)
  }

  /** Chooses all ads and all background, up to the check step. */
  async function chooseAll(): Promise<void> {
    await next()
    await step('Ad selection')
    await button(/^Select all \d/).click()
    await shop.page.getByRole('list', { name: 'Chosen ads' }).waitFor()
    await chooseBackground()
  }

  /** Chooses all background, from the step of ads to the check step. */
  async function chooseBackground(): Promise<void> {
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
  return {
    ...wizardControls(shop),
    button,
    next,
    step,
    alertWith,
    tick,
    ribbon,
    begin,
    chooseAll,
    chooseBackground,
    finish,
  }
}
