import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { findUnlogged, watchCard } from './card-samples.ts'
import { inviteReader, owner } from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { CORNER, type CountedUser, Demonstration, OFFER, type RealShop } from './demonstration.ts'
import { chooseOption } from './keyboard.ts'
import { comparePlays } from './play-comparison.ts'
import { runProgram, waitUntil } from './processes.ts'
import { readProofPlays, readProofRows, readStoredOffers } from './proof-rows.ts'
import {
  ATTENTION,
  countStates,
  LABELS,
  namesOf,
  readShops,
  SHOP_STATES,
  type ShopState,
  TROUBLE,
} from './shop-states.ts'

/*
 * The four questions of a day, each answered in at most four clicks from signing in, as the stored reports and the players' own logs
 * have it: is everything playing, what plays where, put this ad on the air, prove that it aired.
 */

const MAX_CLICKS = 4
let demo: Demonstration
let user: CountedUser
let shots: ConsolePage

beforeAll(async () => {
  demo = await Demonstration.start()
  await demo.shop(2).program.kill()
  user = await demo.signIn()
  shots = new ConsolePage(user.page, 'daily-work')
}, 600_000)
afterAll(() => demo.stop())

const panel = (name: string) => user.page.getByRole('region', { name, exact: true }).first()
const fleetLink = (state: ShopState) =>
  panel('Fleet').getByRole('link', { name: new RegExp(`^${LABELS[state]} \\d`) })
const numberIn = (text: string) => Number(/\d+/.exec(text.replaceAll(',', ''))?.[0])

async function readFleetBar(): Promise<Record<string, number>> {
  const texts = await Promise.all(SHOP_STATES.map(state => fleetLink(state).innerText()))
  return Object.fromEntries(SHOP_STATES.map((state, n) => [state, numberIn(texts[n] ?? '')]))
}

/** The names in the first column of the list that a link leads to, and how many there are in all. */
async function readList(): Promise<{ names: string[]; total: number }> {
  const list = user.page
    .getByRole('main')
    .getByRole('region')
    .filter({ has: user.page.getByRole('table') })
  await list.and(user.page.locator('[aria-busy=false]')).first().waitFor()
  const names = await list.locator('tbody tr a[class*=name]').allInnerTexts()
  const footer = await list.getByText(/^(\d+–\d+ of [\d,]+|\d+ items?)$/).innerText()
  return {
    names: names.toSorted((a, b) => a.localeCompare(b)),
    total: numberIn(footer.split('of').at(-1) ?? ''),
  }
}

/** Follows a link from the overview, in one click, and comes back. */
async function follow<T>(link: Locator, read: () => Promise<T>): Promise<T> {
  await user.begin()
  await link.click()
  await user.page.waitForURL(url => !url.pathname.endsWith('/home/overview'))
  const found = await read()
  expect(await user.takeClicks()).toBe(1)
  await user.page.goBack()
  return found
}

it('is everything playing? The overview tells, and each count leads to exactly the shops counted', async () => {
  const readTrouble = async () => {
    const shops = await readShops(demo)
    return Object.fromEntries(Object.keys(TROUBLE).map(state => [state, namesOf(shops, state as ShopState)]))
  }
  await vi.waitFor(async () => expect(await readTrouble()).toEqual(TROUBLE), {
    timeout: 180_000,
    interval: 500,
  })
  await user.begin()
  const compareCounts = async () => expect(await readFleetBar()).toEqual(countStates(await readShops(demo)))
  await vi.waitFor(compareCounts, { timeout: 60_000, interval: 250 })
  await shots.screenshot('overview')

  for (const state of SHOP_STATES) {
    const counted = numberIn(await fleetLink(state).innerText())
    const { names, total } = await follow(fleetLink(state), readList)
    expect([state, total]).toEqual([state, counted])
    if (state !== 'playing') expect([state, names]).toEqual([state, TROUBLE[state]])
  }
  const lines = panel('Needs attention').getByRole('link')
  for (const [about, names] of ATTENTION) {
    const line = lines.filter({ hasText: about })
    const counted = numberIn(await line.innerText())
    const list = await follow(line, readList)
    expect([String(about), list]).toEqual([String(about), { names, total: counted }])
  }
  expect(user.complaints).toEqual([])
})

it('is everything playing? An ad that fell short leads to its days, which have the stored plays', async () => {
  await user.begin()
  const line = panel('Needs attention').getByRole('link', { name: /^“Fresh bread at eight” missed/ })
  await line.waitFor()
  const rows = await follow(line, () => readProofRows(user.page))
  const [stored] = await demo.query<{ plays: number }>(`
    select count(*)::int as plays from plays where track_name = 'Fresh bread at eight' and result = 'complete'
      and left_out is null and coalesce(scheduled_day, local_day) = (now() at time zone 'UTC')::date - 1`)
  expect(rows.reduce((sum, row) => sum + numberIn(row['Aired plays'] ?? ''), 0)).toBe(stored?.plays)
})

it('what plays where? The list and the card name what the players’ own logs have', async () => {
  const shop = demo.shop(0)
  await user.begin()
  await user.page
    .getByRole('navigation', { name: 'Menu' })
    .getByRole('link', { name: 'Devices', exact: true })
    .click()
  const table = user.page.getByRole('table', { name: 'Devices' })
  const readRows = () =>
    table
      .locator('tbody tr')
      .evaluateAll(rows =>
        rows.map(row => [
          row.querySelector('a')?.textContent ?? '',
          row.querySelector('[data-label="State"]')?.textContent ?? '',
        ]),
      )
  // Every playing shop of the page, by the tracks of their last heartbeats.
  await vi.waitFor(
    async () => {
      const [rows, reported] = [await readRows(), await readShops(demo)]
      expect(rows).toHaveLength(10)
      for (const [name, state] of rows) {
        const known = reported.find(each => each.name === name)
        if (known?.state === 'playing') expect([name, state]).toEqual([name, `Playing · ${known.track}`])
      }
    },
    { timeout: 30_000, interval: 100 },
  )
  await user.page.getByRole('searchbox').fill('Corner shop')
  await table.getByRole('link', { name: shop.name }).click()
  await user.page.getByRole('heading', { level: 1, name: shop.name }).waitFor()
  expect(await user.takeClicks()).toBeLessThanOrEqual(MAX_CLICKS)

  const seen = await watchCard(panel('Now playing'), shop, 5)
  const plays = await shop.log.readPlays()
  const shown = seen.map(({ name }) => name).filter((name, n, all) => name !== null && name !== all[n - 1])
  const first = seen[0]?.at ?? 0
  const whole = plays
    .filter(({ startedAt }) => Date.parse(startedAt) > first)
    .map(({ trackName }) => trackName)
  expect(whole.length).toBeGreaterThanOrEqual(3)
  expect(shown.join()).toContain(whole.join())
  expect(findUnlogged(seen, plays)).toEqual([])
  await compareLastPlays(shop)
  await shots.screenshot('device')
})

async function compareLastPlays(shop: RealShop): Promise<void> {
  const readCard = () => panel('Last plays').getByRole('listitem').locator('p:first-child').allInnerTexts()
  const readStored = async () => {
    const rows = await demo.query<{ track: string }>(
      'select track_name as track from plays where device_uid = $1 order by started_at desc limit 6',
      [shop.uid],
    )
    return rows.map(({ track }) => track)
  }
  await vi.waitFor(async () => expect(await readCard()).toEqual(await readStored()), {
    timeout: 30_000,
    interval: 100,
  })
}

it('put this ad on the air: the players of the group play it, and the page counts those that have it', async () => {
  await user.begin()
  await user.page
    .getByRole('navigation', { name: 'Menu' })
    .getByRole('link', { name: 'Publications', exact: true })
    .click()
  await user.page.getByRole('link', { name: 'Publish' }).first().click()
  const sheet = user.page.getByRole('dialog', { name: 'Publish a playlist' })
  await chooseByKeys(sheet.getByRole('combobox', { name: 'Playlist' }), CORNER.evening)
  // The playlist is chosen: the group is asked for next.
  await chooseByKeys(sheet.getByRole('combobox', { name: 'Device group' }), CORNER.group)
  await sheet.getByText('can have only one publication at a time').waitFor()
  await sheet.getByLabel(`Deactivate ${CORNER.music}`).check()
  await sheet.getByText('3 devices get it.').waitFor()
  await sheet.getByRole('button', { name: 'Publish now' }).click()
  await user.page.getByText(new RegExp(`on the air .*in “${CORNER.group}”`, 'i')).waitFor()
  expect(await user.takeClicks()).toBeLessThanOrEqual(MAX_CLICKS)

  const publications = await demo.query<{ name: string; state: string; group: string }>(`
    select p.name, p.state, g.name as group from publications p join groups g on g.uid = p.group_uid
    where g.name = '${CORNER.group}' order by p.name`)
  expect(publications.map(({ name, state }) => `${name}: ${state}`)).toEqual([
    `${CORNER.evening}: active`,
    `${CORNER.music}: disabled`,
  ])
  const living = [demo.shop(0), demo.shop(1)]
  const offers = async ({ log }: RealShop) =>
    (await log.readPlays()).filter(({ trackName }) => trackName === OFFER)
  for (const shop of living)
    await waitUntil(
      `${shop.name} has played the ad three times`,
      async () => (await offers(shop)).length >= 3,
      180,
    )
  await user.page.getByText('Ready on 2 of 3 devices').waitFor()
})

/** Types the beginning of an option into the field that has the focus, and takes it. */
async function chooseByKeys(field: Locator, option: string): Promise<void> {
  await expect.poll(() => field.evaluate(input => input === document.activeElement)).toBe(true)
  await user.page.keyboard.type(option)
  await chooseOption(user.page, option)
}

/** Ends the real players in order, so that they have reported all that they have played. */
async function endPlayers(): Promise<void> {
  for (const shop of [demo.shop(0), demo.shop(1)]) {
    await shop.program.stop()
    await waitUntil(`all plays of ${shop.name} are stored`, async () => {
      const { logged, stored, lost } = await comparePlays(demo.client, shop.uid, shop.log.dataDir)
      return logged === stored && lost.length === 0
    })
  }
}

const openDelivery = async ({ page }: CountedUser) => {
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Ads', exact: true }).click()
  await page.getByRole('link', { name: OFFER }).click()
  await page.getByRole('tab', { name: 'Delivery' }).click()
  const row = page.getByRole('row').filter({ hasText: CORNER.evening })
  return numberIn((await row.getByRole('cell').nth(3).innerText()).trim())
}

/** The rows of the ad's report for the shops that have played it. */
async function readAired(asked: CountedUser) {
  await asked.page.getByRole('link', { name: 'Proof of play', exact: true }).click()
  const rows = await readProofRows(asked.page)
  expect(await asked.takeClicks()).toBeLessThanOrEqual(MAX_CLICKS)
  return rows
    .map(row => ({
      publication: row['Publication'] ?? '',
      device: row['Device'] ?? '',
      // Its spaces break no line.
      day: row['Day']?.replaceAll('\u00a0', ' ') ?? '',
      delivered: numberIn(row['Aired plays'] ?? ''),
      adPlays: numberIn(row['Ad plays'] ?? ''),
    }))
    .filter(({ adPlays }) => adPlays > 0)
    .toSorted((a, b) => a.device.localeCompare(b.device))
}

it('prove that it aired: by publication, device and day, as stored and as the players have logged', async () => {
  await endPlayers()
  const stored = await readStoredOffers(demo)
  const logs = await Promise.all([0, 1].map(place => demo.shop(place).log.readPlays()))
  const heard = logs.flat().filter(({ trackName, result }) => trackName === OFFER && result === 'complete')
  await user.begin()
  expect(await openDelivery(user)).toBe(heard.length)
  await shots.screenshot('delivery')
  expect(await readAired(user)).toEqual(stored)
  expect(stored.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(heard.length)
  expect(user.complaints).toEqual([])
})

it('a manager sees it too, and downloads the signed proof, which has each logged play', async () => {
  const { email } = await inviteReader(demo.client)
  const manager = await demo.signIn({ email, password: owner.password })
  await manager.begin()
  await openDelivery(manager)
  const saved = manager.page.waitForEvent('download')
  await manager.page.getByRole('button', { name: 'Signed proof of play' }).click()
  const file = join(demo.folder, 'proof.zip')
  await (await saved).saveAs(file)
  expect(await manager.takeClicks()).toBeLessThanOrEqual(MAX_CLICKS)

  const verified = runProgram('tools/verify-proof.ts', [file])
  expect([await verified.ended, verified.output.join('')]).toEqual([0, expect.stringMatching(/^VALID/)])
  const logs = await Promise.all([0, 1].map(place => demo.shop(place).log.readPlays()))
  const logged = logs.flat().filter(({ trackName }) => trackName === OFFER)
  expect((await readProofPlays(file)).toSorted()).toEqual(
    logged
      .map(({ id, startedAt, publicationUid, result }) => [id, startedAt, publicationUid, result].join())
      .toSorted(),
  )
  await manager.begin()
  await openDelivery(manager)
  expect(await readAired(manager)).toEqual(await readStoredOffers(demo))
  expect(manager.complaints).toEqual([])
})
