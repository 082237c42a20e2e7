import { CallError } from '@floorcast/contract/client.ts'
import { readDeviceDay, type DeviceDay } from '@floorcast/contract/device-day.ts'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { DayPanels } from './day-panel.tsx'

const device = {
  uid: '0193a1f0-0000-7000-8000-00000000000d',
  activity: 'playing' as const,
  memorySizeBytes: 64e9,
  freeMemoryBytes: 16e9,
  lastContactAt: '2026-11-24T15:00:00.000Z',
}

/** A day in Lisbon: music all day but for ads from noon UTC for an hour, and nothing was played at ten for half an hour. */
function dayOf(day: string, { from, until }: { from: string; until: string }): DeviceDay {
  const [noon, one] = [`${day}T12:00:00.000Z`, `${day}T13:00:00.000Z`]
  const [ten, half] = [`${day}T10:00:00.000Z`, `${day}T10:30:00.000Z`]
  const music = { kind: 'music', adShare: 0 } as const
  const ads = { kind: 'ads', adShare: 1, from: noon, until: one } as const
  return {
    asOf: '2026-11-24T15:00:00.000Z',
    day,
    timeZone: 'Europe/Lisbon',
    from,
    until,
    scheduled: [
      { ...music, from, until: noon, because: null },
      { ...ads, because: null },
      { ...music, from: one, until, because: null },
    ],
    played: [
      { ...music, from, until: ten },
      { ...music, from: half, until: noon },
      ads,
      { ...music, from: one, until },
    ],
    gaps: [{ from: ten, until: half, because: 'off' }],
    unreported: [],
    connectivity: [{ from, until, state: 'online' }],
    health: [],
    restored: null,
  }
}

/** The clocks of Lisbon: an hour is skipped at one, and an hour is repeated from one on. */
const days = {
  usual: dayOf('2026-06-10', { from: '2026-06-09T23:00:00.000Z', until: '2026-06-10T23:00:00.000Z' }),
  short: dayOf('2026-03-29', { from: '2026-03-29T00:00:00.000Z', until: '2026-03-29T23:00:00.000Z' }),
  long: dayOf('2026-10-25', { from: '2026-10-24T23:00:00.000Z', until: '2026-10-26T00:00:00.000Z' }),
}
const hoursOf = ({ from, until }: DeviceDay) => (Date.parse(until) - Date.parse(from)) / 3_600_000

let server: FakeServer
beforeEach(() => {
  server = new FakeServer()
})

const ribbon = page.getByRole('slider', { name: /^The day|^اليوم/ })
const canvas = () => document.querySelector('canvas') ?? document.createElement('canvas')
const place = () => canvas().getBoundingClientRect()

async function drawDay(day: DeviceDay, options?: Parameters<typeof drawComponent>[1]) {
  server.answer(readDeviceDay, () => day)
  await drawComponent(<DayPanels device={device} />, options)
  await expect.poll(() => document.querySelectorAll('canvas').length).toBe(1)
  await document.fonts.ready
  await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
}

/** Points to a time this many hours after the beginning of the day. */
function pointTo(hours: number, day: DeviceDay, isMirrored = false) {
  const { left, top, width } = place()
  const share = hours / hoursOf(day)
  const clientX = left + (isMirrored ? 1 - share : share) * width
  canvas().dispatchEvent(new PointerEvent('pointermove', { clientX, clientY: top + 60, bubbles: true }))
}
const said = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible()

/** The labels of the ruler with their places in pixels. */
function watchRuler() {
  const drawn = vi.spyOn(CanvasRenderingContext2D.prototype, 'fillText')
  return () => new Map(drawn.mock.calls.map(([text, x]) => [text, x]))
}

it.each([
  { name: 'of 24 hours', day: days.usual, noon: 13 },
  { name: 'of 23 hours, when the clocks go forward', day: days.short, noon: 12 },
  { name: 'of 25 hours, when they go back', day: days.long, noon: 13 },
])(
  'the day of a device $name has its ads and its gap at their hours, by the clock of the shop',
  async ({ day, noon }) => {
    await drawDay(day)
    pointTo(noon - 0.05, day)
    await said(/scheduled music, played music$/)
    pointTo(noon + 0.05, day)
    const shown = (hour: number) => `${String(hour).padStart(2, '0')}:03`
    // Noon UTC is one in summer, and noon where the clocks have gone back.
    const hour = day === days.long ? 12 : 13
    await said(`${shown(hour)}: scheduled ads, played ads`)
    pointTo(noon + 0.95, day)
    await said(/scheduled ads, played ads$/)
    pointTo(noon + 1.05, day)
    await said(`${shown(hour + 1)}: scheduled music, played music`)
    pointTo(noon - 1.75, day)
    await said(/scheduled music, played nothing \(the player was off\)$/)
    await expect.element(page.getByRole('list', { name: 'Not played' })).toBeVisible()
    const [from, until] = [hour - 2, hour - 2].map(each => String(each).padStart(2, '0'))
    await said(`${from}:00–${until}:30: the player was off`)
    expect(await findBarriers()).toEqual([])
  },
)

it('the day of a device has no hour that the clocks skip', async () => {
  const labels = watchRuler()
  await drawDay(days.short)
  pointTo(0.95, days.short)
  await said(/^00:57:/)
  pointTo(1.05, days.short)
  await said(/^02:03:/)
  expect(labels().has('01:00')).toBe(false)
})

it('the day of a device has the hour twice that the clocks repeat', async () => {
  await drawDay(days.long)
  pointTo(1.5, days.long)
  await said(/^01:30:/)
  pointTo(1.95, days.long)
  await said(/^01:57:/)
  pointTo(2.5, days.long)
  await said(/^01:30:/)
  pointTo(3.05, days.long)
  await said(/^02:03:/)
})

it('the day of a device draws its ruler where the times are', async () => {
  const labels = watchRuler()
  await drawDay(days.short, { width: 1400 })
  // Fourteen hours by the clock are thirteen of this day.
  expect(labels().get('14:00')).toBeCloseTo((place().width * 13) / 23, 0)
})

it('the day of a device leads from day to day, and to no day after today', async () => {
  const asked: (string | undefined)[] = []
  server.answer(readDeviceDay, ({ day }) => {
    asked.push(day)
    const today = dayOf('2026-11-24', {
      from: '2026-11-24T00:00:00.000Z',
      until: '2026-11-25T00:00:00.000Z',
    })
    if (day === undefined) return today
    return dayOf(day, { from: `${day}T00:00:00.000Z`, until: `${day}T23:59:59.000Z` })
  })
  await drawComponent(<DayPanels device={device} />)
  const before = page.getByRole('button', { name: 'The day before' })
  const after = page.getByRole('button', { name: 'The day after' })
  await said('Today, Europe/Lisbon')
  await expect.element(after).toBeDisabled()
  await before.click()
  await said(/^Nov\s23,\s2026, Europe\/Lisbon$/)
  await after.click()
  await said('Today, Europe/Lisbon')
  expect(asked).toEqual([undefined, '2026-11-23'])
})

it('the day of a device says why it could not be loaded, and tries again', async () => {
  server.answer(readDeviceDay, () => {
    throw new CallError(500, null)
  })
  await drawComponent(<DayPanels device={device} />)
  await said('This could not be loaded')
  server.answer(readDeviceDay, () => days.usual)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(ribbon).toBeVisible()
})

it('the day of a device names the newest five of many gaps, and counts the others', async () => {
  const gaps = Array.from({ length: 8 }, (_, hour) => ({
    from: `2026-06-10T0${hour}:00:00.000Z`,
    until: `2026-06-10T0${hour}:10:00.000Z`,
    because: 'not-reported' as const,
  }))
  await drawDay({ ...days.usual, gaps })
  await expect
    .element(page.getByRole('slider', { name: 'The day as scheduled and as played, with 8 gaps' }))
    .toBeVisible()
  const list = page.getByRole('list', { name: 'Not played' })
  expect(list.getByRole('listitem').elements()).toHaveLength(6)
  await expect
    .element(list.getByRole('listitem').first())
    .toHaveTextContent('08:00–08:10: not reported yet, it may have played')
  await expect.element(list.getByRole('listitem').last()).toHaveTextContent('and 3 more')
  await page.getByRole('button', { name: 'Show all' }).click()
  expect(list.getByRole('listitem').elements()).toHaveLength(8)
  await page.getByRole('button', { name: 'Show the newest only' }).click()
  expect(list.getByRole('listitem').elements()).toHaveLength(6)
})

it('the day of a device tells its moments to the keys too', async () => {
  await drawDay(days.usual)
  // From the page's end, where a test before has clicked, the first Tab may leave the frame of the tests.
  const dayBefore = page.getByRole('button', { name: 'The day before' }).element()
  if (dayBefore instanceof HTMLElement) dayBefore.focus()
  await userEvent.tab()
  await userEvent.tab()
  await expect.element(ribbon).toHaveFocus()
  const value = (text: string) => expect.element(ribbon).toHaveAttribute('aria-valuetext', text)
  await value('00:00: scheduled music, played music')
  await userEvent.keyboard('{PageUp>13/}{ArrowRight}')
  await value('13:05: scheduled ads, played ads')
  await said('13:05: scheduled ads, played ads')
  await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}')
  await value('13:04: scheduled ads, played ads')
  await userEvent.keyboard('{PageDown>2/}')
  await value('11:04: scheduled music, played nothing (the player was off)')
  await userEvent.keyboard('{End}')
  await value('23:59: scheduled music, played music')
  // Shift shortens the steps of arrows and page keys; it does not change a jump to the ends.
  await userEvent.keyboard('{Shift>}{Home}{/Shift}')
  await value('00:00: scheduled music, played music')
  await userEvent.keyboard('{Shift>}{End}{/Shift}')
  await value('23:59: scheduled music, played music')
  await userEvent.keyboard('{Shift>}{PageUp}{PageDown}{/Shift}')
  await value('23:58: scheduled music, played music')
  await userEvent.keyboard('{Home}')
  await value('00:00: scheduled music, played music')
  await userEvent.keyboard('{End}')
  expect(await findBarriers()).toEqual([])
  await userEvent.tab()
  await said('Scheduled, played, connection')
})

it('the day of a device is mirrored from right to left, its pointer too', async () => {
  const labels = watchRuler()
  await drawDay(days.usual, { language: 'ar' })
  pointTo(13.5, days.usual, true)
  await said(/13:30/)
  expect(labels().get('13:00') ?? labels().get('14:00')).toBeLessThan(place().width / 2)
  const steps = document.querySelectorAll('.fc-points')
  ribbon.element().focus()
  await userEvent.keyboard('{Home}{ArrowLeft}')
  await expect.element(ribbon).toHaveAttribute('aria-valuenow', '5')
  expect(getComputedStyle(steps[0] ?? document.body).transform).toBe('matrix(-1, 0, 0, 1, 0, 0)')
  expect(await findBarriers()).toEqual([])
})

it('the day of a device is whole on a phone', async () => {
  await drawDay(days.usual, { width: 400 })
  expect(document.documentElement.scrollWidth).toBe(400)
  await userEvent.hover(canvas())
  expect(await findBarriers()).toEqual([])
})
