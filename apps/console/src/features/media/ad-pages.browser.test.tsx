import { readDelivery, type PublicationDelivery } from '@floorcast/contract/delivery-report.ts'
import { listMedia, readMedia, type MediaCard } from '@floorcast/contract/media.ts'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { mediaRow } from '../../testing/media-row.ts'
import { MediaDelivery } from './media-tabs.tsx'
import { AdsPage, MelodiesPage } from './media-list-page.tsx'
import { AdPage } from './media-page.tsx'

const uid = '0193a1f0-0000-7000-8000-0000000000a1'
const now = '2026-06-10T22:30:00.000Z'
const ad: MediaCard = {
  ...mediaRow({ uid, name: 'Summer offer', contentType: 'ads', durationSeconds: 20, isUsed: true }),
  originalName: 'offer.mp3',
  sizeBytes: 480_000,
  usedInPlaylists: 1,
  usedInGroups: 2,
  mimeType: 'audio/mpeg',
  bitRate: 192_000,
  sampleRate: 44_100,
  channels: 2,
  width: null,
  height: null,
  isGapless: true,
  invalidIsrc: '',
  createdAt: now,
  changedAt: now,
  version: 1,
  permissions: { mayEdit: true, mayDelete: true },
}

const named = (n: number, name: string) => ({ uid: `0193a1f0-0000-7000-8000-00000000000${n}`, name })
const from = '2026-06-04T00:00:00.000Z'
const publication = (n: number, plays: Partial<PublicationDelivery>): PublicationDelivery => ({
  publication: named(n, `On the air ${n}`),
  playlist: { ...named(n, 'Morning'), form: 'smart' },
  group: named(n, `Region ${n}`),
  state: 'active',
  devices: 3,
  since: from,
  until: now,
  promised: 0,
  planned: 0,
  made: 0,
  extra: 0,
  gaps: [],
  hours: 10,
  promisedAnHour: 1,
  plannedAnHour: 1,
  madeAnHour: 1,
  ...plays,
})
const first = publication(1, {
  promised: 1200,
  planned: 1200,
  made: 1100,
  gaps: [
    { why: 'device-off', plays: 92 },
    { why: 'cut', plays: 8 },
  ],
})
const second = publication(2, {
  promised: 800,
  planned: 700,
  made: 700,
  gaps: [{ why: 'closed', plays: 100 }],
})

let server: FakeServer
beforeEach(() => {
  server = new FakeServer()
  server.answer(readMedia, () => ad)
  server.answer(listMedia, () => ({ items: [ad], total: 1, page: 1, size: 10 }))
})

async function drawDelivery(
  publications: PublicationDelivery[],
  options?: Parameters<typeof drawComponent>[1],
) {
  server.answer(readDelivery, () => ({ from, to: now, publications, restored: null }))
  await drawComponent(<MediaDelivery media={ad} />, options)
  await expect.element(page.getByRole('table')).toBeVisible()
}

/** How far the last line of each cell's text is from the cell's end, by columns; the last column is of words. */
function distancesFromEnd(isRightToLeft: boolean): number[][] {
  const rows = [...document.querySelectorAll('tr')].map(row =>
    [...row.cells].slice(1, -1).map(cell => {
      const text = document.createRange()
      text.selectNodeContents(cell)
      const [inner, outer] = [text.getBoundingClientRect(), cell.getBoundingClientRect()]
      return Math.round(isRightToLeft ? inner.left - outer.left : outer.right - inner.right)
    }),
  )
  return rows
}

it.each(['en', 'ar'] as const)(
  'the figures of a delivery stand at the end of their columns in %s',
  async language => {
    await drawDelivery([first, second], { language })
    const distances = distancesFromEnd(language === 'ar')
    expect(distances).toHaveLength(4)
    const [padding] = distances[0] ?? []
    expect(padding).toBeLessThan(17)
    for (const row of distances) expect(row).toEqual([padding, padding, padding, padding])
    expect(await findBarriers()).toEqual([])
  },
)

const textsOf = (row: Element | undefined) =>
  [...(row?.querySelectorAll('td') ?? [])].map(cell => cell.innerText)
const bodyRows = () => [...document.querySelectorAll('tbody tr')]
const total = () => document.querySelector('tfoot tr') ?? undefined

it('a delivery of two publications has a total, and each line its share and its reasons in words', async () => {
  await drawDelivery([first, second])
  expect(textsOf(total())).toEqual(['Total', '2,000', '1,900', '1,800', '90%', ''])
  const shares = bodyRows().map(row => textsOf(row).at(4))
  expect(shares).toEqual(['91.7%', '87.5%'])
  const reasons = bodyRows().map(row => [...row.querySelectorAll('li')].map(({ innerText }) => innerText))
  expect(reasons).toEqual([['the device was off: 92', 'cut short: 8'], ['the shop was closed: 100']])
})

it('a delivery of one publication is its own total, and of nothing booked has no share', async () => {
  await drawDelivery([publication(1, {})])
  expect(total()).toBeUndefined()
  expect(textsOf(bodyRows()[0]).slice(1)).toEqual(['0\n1 an hour', '0\n1 an hour', '0\n1 an hour', '–', '–'])
})

it('a delivery on a phone needs no more than its width', async () => {
  await drawDelivery([first, second], { width: 400 })
  expect(document.documentElement.scrollWidth).toBe(400)
  expect(total()?.getBoundingClientRect().width).toBeLessThanOrEqual(400)
})

const drawAd = (options?: { language?: 'ar'; width?: number }) =>
  drawComponent(<AdPage />, { path: `/media/adsOne/${uid}`, route: '/media/adsOne/:uid', ...options })
const labels = () => [...document.querySelectorAll('dt')].map(({ innerText }) => innerText)

it('the page of an ad shows no credits that it was not given, and the beginning of its hash', async () => {
  await drawAd()
  await expect.element(page.getByRole('button', { name: 'Copy: SHA-256' })).toBeVisible()
  expect(labels()[0]).toBe('Length')
  expect(labels()).not.toContain('ISRC')
  const hash = page.getByText(ad.hash, { exact: true }).element()
  const field = hash.closest('[data-short]')?.getBoundingClientRect()
  expect(field?.width).toBeLessThanOrEqual(240)
  expect(await findBarriers()).toEqual([])
})

it('the page of an ad shows the credits that it was given', async () => {
  server.answer(readMedia, () => ({ ...ad, artist: 'Ana Prado' }))
  await drawAd()
  await expect.poll(() => labels()[0]).toBe('Artist')
  expect(labels()).not.toContain('Composer')
})

/** The drawn shapes that stand for a picture. */
const shapes = () =>
  [...document.querySelectorAll('main [class*=preview] > svg, main [class*=thumb] > svg')].map(
    svg => svg.innerHTML,
  )

it('an ad has the same shape on its page as in the list, which is not that of a song', async () => {
  await drawAd()
  await expect.poll(shapes).toHaveLength(1)
  const [onPage] = shapes()
  await drawComponent(<AdsPage />)
  await expect.poll(shapes).toEqual([onPage])
  server.answer(listMedia, () => ({
    items: [{ ...ad, contentType: 'melodies' as const }],
    total: 1,
    page: 1,
    size: 10,
  }))
  await drawComponent(<MelodiesPage />)
  await expect.poll(shapes).toHaveLength(1)
  expect(shapes()).not.toEqual([onPage])
})

const credits = page.getByRole('button', { name: 'Credits', exact: true })

it('the credits of ads are in the menu of further actions; those of songs have a button', async () => {
  await drawComponent(<AdsPage />)
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Save as csv' })).toBeVisible()
  expect(credits.elements()).toEqual([])
  await drawComponent(<MelodiesPage />)
  await expect.element(credits).toBeVisible()
})
