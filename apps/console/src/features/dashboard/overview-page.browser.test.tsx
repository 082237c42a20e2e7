import { readDeviceMap, readPlaysChart, type DeviceMap } from '@floorcast/contract/charts.ts'
import type { QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { loadWords } from '../../platform/i18n.ts'
import { writeStored } from '../../platform/storage.ts'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { answerOverview, metrics } from '../../testing/overview-samples.ts'
import { OverviewPage } from './overview-page.tsx'

const path = '/home/overview'
const kiosk = { uid: '0193a1f0-0000-7000-8000-00000000000e', name: 'Harbour Kiosk' }
const area = 'area:59.5,10.5,60,11'
const map: DeviceMap = {
  asOf: metrics.asOf,
  clusters: [
    {
      latitude: 59.91,
      longitude: 10.75,
      devices: 2,
      online: 1,
      linkdown: 0,
      linklost: 0,
      neverup: 1,
      place: area,
      country: null,
      device: null,
    },
  ],
  notOnMap: {
    online: 0,
    linkdown: 0,
    linklost: 1,
    neverup: 0,
    devices: 1,
    place: 'none',
    first: [{ ...kiosk, connectivity: 'linklost' }],
  },
}

let server: FakeServer
beforeEach(async () => {
  await loadWords('home')
  server = new FakeServer()
  answerOverview(server)
})
const panel = (name: string) => page.getByRole('region', { name, exact: true }).first()
const plays = panel('Plays')
const textOf = (locator: typeof plays) => () => locator.query()?.textContent ?? ''
/** What the folded panel says, without the signs of direction and hard spaces. */
const inShort = () =>
  textOf(panel('Installation'))()
    .replaceAll(/[\u2066-\u2069]/g, '')
    .replaceAll('\u00a0', ' ')

/** The page without its heading, which the shell draws. */
const draw = (more: Parameters<typeof drawComponent>[1] = {}) =>
  drawComponent(
    <>
      <h1>{'Overview'}</h1>
      <OverviewPage />
    </>,
    { path, ...more },
  )

it('shows plays over time as a chart that keys walk, with the figure of its card', async () => {
  await draw()
  await expect.poll(textOf(plays)).toContain('15 last 24 hours')
  // The card has the chart's figure, whichever call was answered later.
  const card = page.getByText('Plays in 24 hours')
  await expect.poll(() => card.element().parentElement?.textContent).toContain('15')
  const chart = plays.getByRole('application')
  await expect.element(chart).toBeVisible()
  chart.element().focus()
  await userEvent.keyboard('{End}')
  await expect
    .poll(() => plays.element().querySelector('output')?.textContent)
    .toContain('Melodies: 4 and Ads: 1')
  const last = plays.element().querySelector('output')?.textContent
  await userEvent.keyboard('{ArrowLeft}')
  await expect.poll(() => plays.element().querySelector('output')?.textContent).not.toBe(last)
  expect(await findBarriers()).toEqual([])
})

it('shows plays over time as a table, whose columns the legend hides', async () => {
  await draw()
  await plays.getByRole('button', { name: 'Plays: Show as table' }).click()
  const heads = () =>
    plays
      .getByRole('columnheader')
      .elements()
      .map(head => head.textContent)
  await expect.poll(heads).toEqual(['Time', 'Melodies', 'Ads'])
  await plays.getByRole('button', { name: 'Ads', pressed: true }).click()
  await expect.poll(heads).toEqual(['Time', 'Melodies'])
  expect(plays.getByRole('cell', { name: '4', exact: true }).elements()).toHaveLength(3)
})

it('shows another range of time, and keeps it in the address', async () => {
  const { address } = await draw()
  await expect.poll(textOf(plays)).toContain('15 last 24 hours')
  await page
    .getByRole('radiogroup', { name: 'Range of the charts' })
    .getByText('7 d', { exact: true })
    .click()
  await expect.poll(textOf(plays)).toContain('15 last 7 days')
  expect(address()).toBe(`${path}?range=7d`)
  const asked = server.calls.filter(({ call }) => call === `GET ${readPlaysChart.path}`)
  expect(asked.map(({ query }) => query['range'])).toContain('7d')
})

it('leads from each figure of the fleet, and from what needs attention, to the devices that it counts', async () => {
  await draw()
  const fleet = panel('Fleet')
  const hrefOf = (name: string) =>
    fleet
      .getByRole('link', { name: new RegExp(`^${name}`) })
      .element()
      .getAttribute('href')
  await expect.element(fleet.getByRole('link', { name: /^Playing/ })).toBeVisible()
  expect(hrefOf('Playing ?1')).toBe('/equipments/devices?silent=none')
  expect(hrefOf('Unavailable devices ?1')).toBe('/equipments/devices?connectivity=linkdown,linklost')
  expect(hrefOf('Active devices ?1')).toBe('/equipments/devices?connectivity=online')
  // Each figure of the fleet once.
  const totals = [...document.querySelectorAll('a')].filter(link =>
    /^(Active|Unavailable) devices/.test(link.textContent),
  )
  expect(totals).toHaveLength(2)
  await expect
    .element(panel('Needs attention').getByRole('link', { name: '1 device has been offline for over a day' }))
    .toHaveAttribute('href', '/equipments/devices?connectivity=linklost')
})

it('has a map on demand, whose bubbles lead to their devices, and names those without a place', async () => {
  server.answer(readDeviceMap, () => map)
  const { address } = await draw()
  const panelOfMap = panel('Map')
  await panelOfMap.getByRole('button', { name: 'Show the map' }).click()
  await expect.element(panelOfMap.getByText('1 device is not on the map')).toBeVisible()
  await expect.element(panelOfMap.getByRole('link', { name: 'Harbour Kiosk' })).toBeVisible()
  await expect.poll(() => panelOfMap.element().querySelector('canvas')).not.toBeNull()
  expect(await findBarriers()).toEqual([])
  // The map shows all places as near as they fit: the only one is in the middle. A click can be too early for it.
  const box = panelOfMap.getByRole('img')
  await expect
    .poll(async () => {
      if (!address().includes('place=')) await box.click({ timeout: 1_000 }).catch(() => null)
      return address()
    })
    .toBe(`/equipments/devices?place=${encodeURIComponent(area)}`)
})

it('says of the installation what is free, and shows it when it is opened, also the next time', async () => {
  const asks = () => server.calls.filter(({ call }) => /load|free-space/.test(call)).length
  const heading = page.getByRole('button', { name: 'Installation' })
  await draw()
  await expect.poll(inShort).toContain('Free space: 1 GB · Database: 1 GB')
  await expect.element(heading).toHaveAttribute('aria-expanded', 'false')
  expect(asks()).toBe(0)
  heading.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(panel('Database').getByRole('table')).toBeVisible()
  await expect.poll(asks).toBeGreaterThan(0)
  expect(await findBarriers()).toEqual([])
  await draw()
  await expect.element(panel('Servers')).toBeVisible()
  await heading.click()
  await expect.element(panel('Servers')).not.toBeInTheDocument()
})

it.each([
  ['a disk that is nearly full', { freeBytes: 5, totalBytes: 100 }, '95% of the disk is used'],
  ['a silent server', { isReporting: false }, 'Silent since'],
])('names %s in the folded installation', async (_, change, said) => {
  const { installation } = metrics
  const servers = installation?.servers.map(server => ({ ...server, ...change })) ?? []
  answerOverview(server, () => ({ ...metrics, installation: installation && { ...installation, servers } }))
  await draw()
  await expect.poll(inShort).toContain(said)
})

it('is no wider than a phone, however long its names and numbers are', async () => {
  const name = 'Достопримечательности'.repeat(3)
  const count = 123_456_789_012
  const item = { uid: kiosk.uid, name }
  const long: QuickMetrics = {
    ...metrics,
    playedCount: count,
    devices: { ...metrics.devices, silent: count },
    silent: [{ reason: 'player-broken', devices: count }],
    attention: [
      ...metrics.attention,
      {
        about: 'missingFiles',
        count,
        reason: null,
        unreportedSeconds: null,
        leadsTo: { page: 'publication', item, filter: {} },
      },
    ],
    publications: { ...metrics.publications, delayed: count },
    installation: metrics.installation && {
      ...metrics.installation,
      servers: [
        {
          name,
          at: metrics.asOf,
          isReporting: false,
          loadAverages: [count, count, count],
          freeBytes: count,
          totalBytes: count,
        },
        ...metrics.installation.servers,
      ],
    },
    latestPlays: metrics.latestPlays.map(play => ({
      ...play,
      deviceName: name,
      track: name,
      playlist: name,
    })),
  }
  answerOverview(server, () => long)
  writeStored('floorcast.installation', 'open')
  // The shell leaves 12 px at each side.
  await drawComponent(
    <div style={{ paddingInline: 12 }}>
      <OverviewPage />
    </div>,
    { path, language: 'ru', width: 400, height: 900 },
  )
  await expect.element(page.getByText(name).first()).toBeVisible()
  await expect.poll(() => document.querySelector('[aria-busy=true]')).toBeNull()
  await expect.poll(() => document.querySelectorAll('canvas').length).toBeGreaterThan(0)
  expect(document.documentElement.scrollWidth).toBe(400)
})
