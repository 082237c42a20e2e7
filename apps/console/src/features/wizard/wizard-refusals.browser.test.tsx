import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { answerLibrary, chosenSong } from '../../testing/wizard-media.ts'
import { RenderDayContext } from './render-day.ts'
import { Wizard } from './wizard.tsx'
import { emptyDraft, type WizardDraft } from './wizard-draft.ts'

beforeEach(() => answerLibrary(new FakeServer()))

let drawn = 0
/** The wizard at a step that the user has reached, with working hours of some minutes from 08:00. */
async function drawAt(step: WizardDraft['step'], minutes: number, draft: Partial<WizardDraft> = {}) {
  drawn += 1
  const endDay = `08:${String(minutes).padStart(2, '0')}`
  const hours = { isRoundTheClock: false, startDay: '08:00', endDay }
  await drawComponent(
    <RenderDayContext value={() => <p>{'The day'}</p>}>
      <Wizard
        initial={{ ...emptyDraft, step, reached: 3, ...hours, ...draft }}
        draftKey={`refusal-${drawn}`}
      />
    </RenderDayContext>,
    { path: '/media/wizard' },
  )
  await isAt(
    {
      hours: 'Working hours',
      ads: 'Ad selection',
      background: 'Background selection',
      check: 'Playlist check',
    }[step ?? 'hours'],
  )
}

const isAt = (step: string) => expect.element(page.getByRole('group', { name: step })).toBeVisible()
const next = () => page.getByRole('button', { name: 'Next' }).click()
const alert = page.getByRole('alert')
const says = (text: string | RegExp) => expect.element(alert.getByText(text, { exact: false })).toBeVisible()
const saysNothing = () => expect.element(alert).not.toBeInTheDocument()
const tick = (name: string) => page.getByRole('checkbox', { name }).click()
const field = (name: string) => page.getByRole('textbox', { name })
/** Next says why, and the step stays. */
async function refusesNext(step: string, reason: string | RegExp) {
  await says(reason)
  await next()
  await expect.poll(() => document.activeElement?.id).toBe('wizard-findings')
  await says(reason)
  await isAt(step)
}

it('refuses working hours that are equal, and hours without an end, until they are set', async () => {
  const end = page.getByRole('combobox', { name: 'End' })
  await drawAt('hours', 0)
  await refusesNext('Working hours', 'Start and end are the same')
  await end.fill('')
  await refusesNext('Working hours', 'Enter the end of the working hours')
  await end.fill('07:00')
  await expect.element(page.getByText(/^23\shr of playing each day, over midnight/)).toBeVisible()
  await next()
  await isAt('Ad selection')
})

it('refuses an empty list at its step, once the user tries to leave it', async () => {
  await drawAt('ads', 30)
  await expect.element(page.getByRole('checkbox', { name: 'song-7' })).toBeVisible()
  await saysNothing()
  await next()
  await says('No ads are chosen')
  await tick('song-7')
  await saysNothing()
  await next()
  await isAt('Background selection')
  await next()
  await says('No background is chosen')
  await isAt('Background selection')
})

it('refuses ad blocks without a length, and weights that are none', async () => {
  await drawAt('ads', 30, { adsList: [chosenSong(7)], melList: [chosenSong(1)] })
  await page.getByText('Manual', { exact: true }).click()
  await field('Minutes of an ad block').fill('0')
  await refusesNext('Ad selection', 'Enter how many minutes an ad block takes')
  await page.getByText('Automatic', { exact: true }).click()
  const weight = field('Weight of song-7, 1 to 10')
  for (const wrong of ['', '0', '11']) {
    await weight.fill(wrong)
    await refusesNext('Ad selection', 'Give “song-7” a weight from 1 to 10')
  }
  await weight.fill('10')
  await saysNothing()
  await next()
  await isAt('Background selection')
})

it('refuses crossfades that are none, and says what a short track leaves of one', async () => {
  await drawAt('background', 30, { adsList: [chosenSong(7)], melList: [chosenSong(1)] })
  const crossfade = field('Crossfade in seconds')
  for (const wrong of ['11', '']) {
    await crossfade.fill(wrong)
    await refusesNext('Background selection', 'Enter a crossfade of 0 to 10 seconds')
  }
  await crossfade.fill('6')
  await saysNothing()
  await expect
    .element(page.getByText('4 s here: never more than half of the shortest track', { exact: false }))
    .toBeVisible()
  await next()
  await isAt('Playlist check')
})

it('refuses ads that would not all be heard, and leads to their step from Finish', async () => {
  await drawAt('check', 1, {
    adsList: [chosenSong(7, 10), chosenSong(8), chosenSong(9)],
    melList: [chosenSong(1), chosenSong(2)],
    melMode: 'manual',
    melTime: 48,
  })
  await says('would be heard less than once')
  await page.getByRole('button', { name: 'Finish' }).click()
  await page.getByRole('button', { name: 'Go to: Ad selection' }).first().click()
  await isAt('Ad selection')
  await field('Weight of song-7, 1 to 10').fill('1')
  await says(/song-\d” would never be heard/)
  await page
    .getByRole('navigation')
    .getByRole('button', { name: 'Background selection', exact: false })
    .click()
  await isAt('Ad selection')
  await page.getByRole('button', { name: 'Remove song-8' }).click()
  await page.getByRole('button', { name: 'Remove song-9' }).click()
  await next()
  await isAt('Background selection')
})

it('refuses a background block that leaves no time for ads', async () => {
  const melList = [chosenSong(1), chosenSong(2)]
  await drawAt('background', 1, { adsList: [chosenSong(7)], melList, melMode: 'manual', melTime: 60 })
  await refusesNext('Background selection', 'no time is left for ads')
  await field('Minutes of a background block').fill('0.8')
  await saysNothing()
  await next()
  await isAt('Playlist check')
})

it('refuses background far beyond its time, and says before how much is not heard', async () => {
  const melList = [1, 2, 3, 4, 5, 6].map(n => chosenSong(n))
  await drawAt('background', 5, { adsList: [chosenSong(7)], melList, adsMode: 'manual', adsTime: 60 })
  await page.getByText('Manual', { exact: true }).click()
  const minutes = field('Minutes of a background block')
  await minutes.fill('0.08')
  await expect.element(page.getByText(/background tracks? would not be heard/)).toBeVisible()
  await minutes.fill('0.01')
  await refusesNext('Background selection', /over ten times the 3\ssec that it gets/)
})

it('refuses ads of less than a second, and a track that is longer than the working hours', async () => {
  await drawAt('ads', 1, { adsList: [chosenSong(7, 1, 0.6)], melList: [chosenSong(1)] })
  await refusesNext('Ad selection', 'The chosen ads last less than a second')
  await drawAt('background', 1, { adsList: [chosenSong(7)], melList: [chosenSong(1), chosenSong(2, 1, 68)] })
  await refusesNext('Background selection', /“song-2” is longer than the working hours \(1\smin\)/)
})
