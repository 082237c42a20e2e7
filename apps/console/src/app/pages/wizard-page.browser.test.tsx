import { beforeAll, beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { answerLibrary } from '../../testing/wizard-media.ts'
import { fetchWaiting } from '../../ui/overlay/on-demand.tsx'
import { WizardPage } from './wizard-page.tsx'

beforeAll(fetchWaiting)
beforeEach(() => answerLibrary(new FakeServer()))

const openWizard = (path = '/media/wizard') =>
  drawComponent(
    <>
      <h1>{'New smart playlist'}</h1>
      <WizardPage />
    </>,
    { path, route: '/media/wizard' },
  )

const button = (name: string | RegExp) => page.getByRole('button', { name })
const step = (name: string) => expect.element(page.getByRole('group', { name })).toBeVisible()
const typeIsAsked = () => expect.element(page.getByText('What will the playlist play?')).toBeVisible()
const hour = (name: string) => page.getByRole('combobox', { name })
const ribbon = page.getByRole('slider', { name: /Blocks of the day/ })
const dialog = page.getByRole('dialog')
const stepButton = (name: string) =>
  page.getByRole('navigation', { name: 'Steps of the wizard' }).getByRole('button', { name, exact: false })

/** Opens the wizard for audio, from 08:00 on for some minutes. */
async function begin(minutes: number) {
  const drawn = await openWizard()
  await button(/^Audio/).click()
  await page.getByText('Set hours').click()
  await hour('Start').fill('08:00')
  await hour('End').fill(`08:${minutes}`)
  return drawn
}

/** Chooses all ads and all background, up to the last step. */
async function chooseAll() {
  await button('Next').click()
  await step('Ad selection')
  await button('Select all 3').click()
  await expect.element(page.getByRole('list', { name: 'Chosen ads' })).toBeVisible()
  await button('Next').click()
  await step('Background selection')
  await button('Select all 6').click()
  await expect.element(page.getByRole('list', { name: 'Chosen background' })).toBeVisible()
  await button('Next').click()
  await step('Playlist check')
  await expect.element(ribbon).toBeVisible()
}

it('the wizard of smart playlists is led by keys alone; a new step has the focus, and Enter plays a block of the day', async () => {
  await openWizard()
  const press = async (name: string | RegExp) => {
    await expect.element(button(name)).toBeVisible()
    button(name).element().focus()
    await userEvent.keyboard('{Enter}')
  }
  const tick = async (name: string) => {
    const box = page.getByRole('checkbox', { name })
    await expect.element(box).toBeVisible()
    box.element().focus()
    await userEvent.keyboard(' ')
  }
  await press(/^Audio/)
  await step('Working hours')
  await press('Next')
  await step('Ad selection')
  await tick('song-7')
  await press('Next')
  await expect.element(page.getByRole('group', { name: 'Background selection' })).toHaveFocus()
  await tick('song-1')
  await press('Next')
  await step('Playlist check')
  await expect.element(ribbon).toBeVisible()
  ribbon.element().focus()
  await userEvent.keyboard('{Home}{Enter}')
  await expect.element(page.getByLabelText(/^Player: song-1/)).toBeInTheDocument()
  expect(await findBarriers()).toEqual([])
})

it('the wizard of smart playlists keeps the draft for another visit, until one starts over', async () => {
  const drawn = await begin(45)
  await button('Next').click()
  await step('Ad selection')
  await page.getByRole('checkbox', { name: 'song-9' }).click()
  // The browser closes the page before the draft is saved after a pause.
  dispatchEvent(new PageTransitionEvent('pagehide'))
  expect(Object.values<string>(localStorage).join()).toContain('song-9')
  drawn.leave()
  await openWizard()
  await step('Ad selection')
  await expect.element(page.getByRole('list', { name: 'Chosen ads' }).getByText('song-9')).toBeVisible()
  await button('Previous').click()
  await step('Working hours')
  await expect.element(hour('End')).toHaveValue('08:45')
  await button('Start over').click()
  await dialog.getByRole('button', { name: 'Start over' }).click()
  await typeIsAsked()
  const again = await openWizard()
  await typeIsAsked()
  again.leave()
})

it('the wizard of smart playlists clears what was chosen when the type changes, and asks first unless there is nothing to clear', async () => {
  await begin(30)
  await chooseAll()
  await button('Change to video').click()
  await expect
    .element(dialog.getByText('The 9 tracks you have chosen are cleared', { exact: false }))
    .toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await step('Playlist check')
  await button('Change to video').click()
  await dialog.getByRole('button', { name: 'Change to video' }).click()
  await step('Working hours')
  await button('Next').click()
  await expect.element(page.getByText('Tick ads in the library', { exact: false })).toBeVisible()
  await expect.element(page.getByRole('checkbox', { name: 'song-0' })).toBeVisible()
  await button('Change to audio').click()
  await step('Working hours')
})

it('the wizard of smart playlists opens visited steps alone: back freely, and forward to the first one that has an error', async () => {
  await begin(30)
  await expect.element(stepButton('Ad selection')).toBeDisabled()
  await chooseAll()
  await stepButton('Ad selection').click()
  await step('Ad selection')
  await button('Remove all').click()
  await stepButton('Working hours').click()
  await step('Working hours')
  await stepButton('Playlist check').click()
  await step('Ad selection')
  await expect.element(page.getByRole('alert').getByText('No ads are chosen', { exact: false })).toBeVisible()
})
