import { listMedia, type MediaRow } from '@floorcast/contract/media.ts'
import { CallError } from '@floorcast/contract/client.ts'
import { useState, type ReactNode } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queryClient } from '../../platform/query-client.ts'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { mediaRow } from '../../testing/media-row.ts'
import { CheckStep, TracksStep } from './wizard-steps.tsx'
import { HoursStep } from './hours-step.tsx'
import { RenderDayContext } from './render-day.ts'
import { emptyDraft, type DraftChange, type WizardDraft } from './wizard-draft.ts'

let draft: WizardDraft
const apply = (change: DraftChange) => {
  draft = change(draft)
  return draft
}
let server: FakeServer
beforeEach(() => {
  draft = emptyDraft
  server = new FakeServer()
  queryClient.clear()
})

type Draws = (draft: WizardDraft, change: (change: DraftChange) => void) => ReactNode

/** A step with the draft that it changes. */
function WithDraft({ initial, draw }: { initial: WizardDraft; draw: Draws }) {
  const [now, setNow] = useState(initial)
  const change = (next: DraftChange) => setNow(apply(next))
  return (
    <>
      <h1>{'Smart playlist'}</h1>
      {draw(now, change)}
    </>
  )
}

async function drawStep(
  draw: Draws,
  initial: Partial<WizardDraft> = {},
  options?: Parameters<typeof drawComponent>[1],
) {
  draft = { ...emptyDraft, ...initial }
  return drawComponent(<WithDraft initial={draft} draw={draw} />, options)
}

const hours: Draws = (now, change) => <HoursStep draft={now} change={change} />
const ads: Draws = (now, change) => <TracksStep kind="ad" draft={now} air={3600} change={change} />
const check: Draws = (now, change) => (
  <RenderDayContext value={() => <p>{'The day'}</p>}>
    <CheckStep draft={now} shown={null} isRefused={false} change={change} />
  </RenderDayContext>
)

const lengthIs = (text: string) =>
  expect.poll(() => page.getByRole('status').element().textContent).toBe(text)
const field = (name: string) => page.getByRole('combobox', { name, exact: true })

it('the step of working hours is round the clock at first; set hours are typed in the 24-hour clock, with 24:00 as their end', async () => {
  await drawStep(hours)
  await expect.element(page.getByRole('radio', { name: 'Round the clock' })).toBeChecked()
  await expect.element(field('Start')).not.toBeInTheDocument()
  await page.getByText('Set hours').click()
  await field('Start').fill('08:30')
  await field('End').fill('24:00')
  expect(draft).toMatchObject({ isRoundTheClock: false, startDay: '08:30', endDay: '23:59' })
  await lengthIs('15\u00a0hr 30\u00a0min of playing each day')
  await userEvent.keyboard('{Escape}{Tab}')
  expect(await findBarriers()).toEqual([])
})

it('the step of working hours says when the hours run over midnight, and keeps no half-typed time', async () => {
  await drawStep(hours, { isRoundTheClock: false, startDay: '22:00', endDay: '06:00' })
  await lengthIs('8\u00a0hr of playing each day, over midnight into the next')
  await field('End').fill('late')
  await expect.poll(() => draft.endDay).toBe('')
  await field('End').fill('07:00')
  expect(draft.endDay).toBe('07:00')
})

it('the step of working hours takes hours as they are typed, and shows them in full when their field is left', async () => {
  await drawStep(hours, { isRoundTheClock: false, startDay: '08:00', endDay: '08:30' })
  await field('End').fill('24')
  await lengthIs('16\u00a0hr of playing each day')
  await field('Start').fill('930')
  await lengthIs('14\u00a0hr 30\u00a0min of playing each day')
  await expect.element(field('End')).toHaveValue('24:00')
  await userEvent.keyboard('{Escape}{Tab}')
  await expect.element(field('Start')).toHaveValue('09:30')
  await field('End').fill('23:3')
  expect(draft.endDay).toBe('')
  await field('End').fill('24:00')
  expect(draft).toMatchObject({ startDay: '09:30', endDay: '23:59' })
})

it('the step of working hours is whole from right to left in a narrow window', async () => {
  await drawStep(
    hours,
    { isRoundTheClock: false, startDay: '08:00', endDay: '20:00' },
    { language: 'ar', width: 400 },
  )
  await expect.element(page.getByRole('status')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(400)
  expect(await findBarriers()).toEqual([])
})

const row = (n: number): MediaRow =>
  mediaRow({
    uid: `0193a1f0-0000-7000-8000-00000000010${n}`,
    name: `Offer ${n}`,
    contentType: 'ads',
    durationSeconds: 10 * n,
  })

/** The library finds by the beginning of a name. */
const findOffers = ({ search = '' }: { search?: string }) => {
  const items = [1, 2, 3].map(row).filter(({ name }) => name.toLowerCase().startsWith(search.toLowerCase()))
  return { items, total: items.length, page: 1, size: 25 }
}
const chosen = page.getByRole('list', { name: 'Chosen ads' })
const library = page.getByRole('list', { name: 'Library' })
const tickOf = (name: string) => library.getByRole('checkbox', { name })

it('the step of ads chooses tracks by key, one or all that are found, and sums them up', async () => {
  server.answer(listMedia, findOffers)
  await drawStep(ads)
  await expect.element(tickOf('Offer 2')).not.toBeChecked()
  tickOf('Offer 2').element().focus()
  await userEvent.keyboard(' ')
  expect(draft.adsList.map(({ name }) => name)).toEqual(['Offer 2'])
  await page.getByRole('button', { name: 'Select all 3' }).click()
  await expect.poll(() => draft.adsList.map(({ name }) => name)).toEqual(['Offer 2', 'Offer 1', 'Offer 3'])
  await expect.element(page.getByRole('status').filter({ hasText: '1\u00a0min' })).toBeVisible()
  await tickOf('Offer 1').click()
  await expect.element(tickOf('Offer 1')).not.toBeChecked()
  expect(draft.adsList.map(({ name }) => name)).toEqual(['Offer 2', 'Offer 3'])
  expect(await findBarriers()).toEqual([])
})

it('the step of ads searches the library, and says that nothing was found', async () => {
  server.answer(listMedia, findOffers)
  await drawStep(ads)
  await expect.element(tickOf('Offer 1')).toBeVisible()
  const search = page.getByRole('searchbox', { name: 'Search the library' })
  await search.fill('offer 3')
  await expect.element(tickOf('Offer 1')).not.toBeInTheDocument()
  await expect.element(tickOf('Offer 3')).toBeVisible()
  await search.fill('nothing')
  await expect.element(page.getByText('Nothing found. Every word of the search must match.')).toBeVisible()
})

it('the step of ads keeps what was chosen when the library cannot be read, and tries again', async () => {
  let isDown = true
  server.answer(listMedia, query => {
    if (isDown) throw new CallError(403, null)
    return findOffers(query)
  })
  await drawStep(ads, { adsList: [{ uid: row(1).uid, name: 'Offer 1', duration: 10, weight: 2 }] })
  await expect.element(page.getByRole('alert')).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(tickOf('Offer 1')).toBeChecked()
  expect(draft.adsList).toHaveLength(1)
})

it('the step of ads marks a weight that is none, and takes a track out', async () => {
  server.answer(listMedia, findOffers)
  await drawStep(ads, { adsList: [{ uid: row(1).uid, name: 'Offer 1', duration: 10, weight: 1 }] })
  const weight = page.getByRole('textbox', { name: 'Weight of Offer 1, 1 to 10' })
  await weight.fill('11')
  await expect.element(weight).toHaveAttribute('aria-invalid', 'true')
  await weight.fill('10')
  await expect.element(weight).not.toHaveAttribute('aria-invalid', 'true')
  expect(draft.adsList[0]?.weight).toBe(10)
  await chosen.getByRole('button', { name: 'Remove Offer 1' }).click()
  expect(draft.adsList).toEqual([])
})

it('the step of ads disables the length that Automatic decides, and gives it back', async () => {
  server.answer(listMedia, findOffers)
  await drawStep(ads)
  const minutes = page.getByRole('textbox', { name: 'Minutes of an ad block' })
  await expect.element(minutes).toBeDisabled()
  await page.getByText('Manual', { exact: true }).click()
  await minutes.fill('5')
  expect(draft).toMatchObject({ adsMode: 'manual', adsTime: 300 })
  await page.getByText('Automatic', { exact: true }).click()
  expect(draft).toMatchObject({ adsMode: 'auto', adsTime: 900 })
  await expect.element(minutes).toBeDisabled()
})

it('the step of the check shuffles, and takes block sizes', async () => {
  await drawStep(check)
  await page.getByRole('button', { name: 'Reshuffle' }).click()
  expect(draft.seed).toBe(2)
  expect(await findBarriers()).toEqual([])
})

it('the step of the check shows a stand-in until the day has come, and none when the draft is refused', async () => {
  const standIns = () => document.querySelectorAll('[aria-busy="true"]').length
  await drawStep(check)
  await expect.poll(standIns).toBe(1)
  await drawStep((now, change) => <CheckStep draft={now} shown={null} isRefused change={change} />)
  expect(standIns()).toBe(0)
})
