import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { collectComplaints } from '@floorcast/testing/browser.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { storePlays, type StoredPlay } from '@floorcast/testing/report-plays.ts'
import type { Route } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { uploadFile } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'
import { chooseOption } from './keyboard.ts'
import { findAxeViolations } from './page-checks.ts'

const shop = testConsole()
const PATH = '/home/reports'
const PLAYS = 60
const HOUR_MS = 3_600_000
const DOWNLOADS = '**/report/r1ext/**'

const startOf = (n: number) => new Date(Date.now() - (30 + n / 60) * HOUR_MS)

const samplePlay = (n: number): StoredPlay => ({
  deviceUid: n % 2 === 0 ? shop.deviceUid : randomUUID(),
  deviceName: n % 2 === 0 ? 'Bakery Lane 4' : 'Another shop',
  mediaUid: randomUUID(),
  trackName: `=Tune, ${n}`,
  contentType: 'melodies',
  playlistUid: randomUUID(),
  playlistName: 'Morning',
  startedAt: startOf(n),
  localDay: startOf(n).toISOString().slice(0, 10),
  secondsPlayed: 12.5,
  result: 'complete',
  isClockDoubted: false,
})

beforeAll(async () => {
  await storePlays(
    shop.superuserUrl,
    shop.clientId,
    Array.from({ length: PLAYS }, (_, n) => samplePlay(n)),
  )
})

const main = () => shop.page.getByRole('main')
const button = (name: string) => main().getByRole('button', { name, exact: true })
const rows = () => main().getByRole('table').getByRole('row')

async function choose(label: string, option: string): Promise<void> {
  const field = main().getByRole('combobox', { name: label, exact: true })
  await field.click()
  await shop.page.getByRole('option', { name: option, exact: true }).click()
  // The address keeps the choice, and the page follows the address.
  await expect.poll(() => field.inputValue()).toBe(option)
}

/** Downloads by a button. */
async function save(name: string) {
  const [download] = await Promise.all([shop.page.waitForEvent('download'), button(name).click()])
  return { fileName: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

/** Answers the calls of downloads but not of previews. */
const onDownload = (answer: (route: Route) => unknown) =>
  shop.page.route(DOWNLOADS, async route => {
    if (route.request().url().includes('/preview')) await route.continue()
    else await answer(route)
  })

it('a report opens a list of options whose code comes while the mouse button is down', async () => {
  await shop.visit('/home/reports')
  await main().getByRole('combobox', { name: 'Format', exact: true }).hover()
  await shop.page.mouse.down()
  const option = shop.page.getByRole('option', { name: 'PDF', exact: true })
  await option.waitFor()
  await shop.page.mouse.up()
  await option.click()
  await expect.poll(() => shop.page.url()).toContain('pdf')
})

it('a report is left by a click on another page that comes while it is being drawn', async () => {
  await shop.page.route('**/assets/groups-page-*', async route => {
    await new Promise(resolve => setTimeout(resolve, 2000))
    await route.continue()
  })
  await shop.visit('/home/overview')
  const devtools = await shop.context.newCDPSession(shop.page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 20 })
  await shop.page.evaluate(() => {
    const push = history.pushState.bind(history)
    history.pushState = (state, unused, url) => {
      push(state, unused, url)
      // The address is written, and then the page is drawn in many steps.
      if (`${url}`.includes('/home/reports'))
        setTimeout(() => document.querySelector<HTMLElement>('a[href="/equipments/groups"]')?.click(), 0)
    }
  })
  await shop.page.getByRole('link', { name: 'Reports', exact: true }).click()
  await shop.heading('Groups')
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  expect(new URL(shop.page.url()).pathname).toBe('/equipments/groups')
})

it('a report is chosen, previewed and downloaded, and opened again by its link and without one', async () => {
  await shop.visit('/home/overview')
  await shop.page.getByRole('link', { name: 'Reports', exact: true }).click()
  await shop.heading('Reports')
  await main().getByText('The first 50 rows').waitFor()
  expect(await rows().count()).toBe(11)
  await button('Show 50 rows').click()
  expect(await rows().count()).toBe(51)
  await button('Device: All').click()
  await shop.page.getByLabel('Find by name: Device').fill('bakery')
  await chooseOption(shop.page, 'Bakery Lane 4')
  await main().getByText('30 rows', { exact: true }).waitFor()
  await choose('Format', 'PDF')
  const pdf = await save('Download')
  expect(pdf.fileName).toMatch(/\.pdf$/)
  expect(pdf.text.slice(0, 4)).toBe('%PDF')
  await choose('Format', 'Text (csv)')
  expect(await findAxeViolations(shop.page)).toEqual([])
  const { fileName, text } = await save('Download')
  expect(fileName).toMatch(/\.csv$/)
  expect(text.trimEnd().split('\n')).toHaveLength(31)
  expect(text).toContain('Bakery Lane 4')
  expect(text).not.toContain('Another shop')
  await main().getByText(`“${fileName}” downloaded, `).waitFor()
  const address = shop.page.url()
  for (const to of [new URL(address).pathname + new URL(address).search, PATH]) {
    await shop.visit(to)
    await button('Device: Bakery Lane 4').waitFor()
    await main().getByText('30 rows', { exact: true }).waitFor()
    expect(shop.page.url()).toBe(address)
  }
})

it('a report has 1 to 45 days, tells when there is nothing, and leads back', async () => {
  await shop.visit(`${PATH}?report=r1ext&from=2026-01-01&to=2026-03-01&playpoint=${shop.deviceUid}`)
  await main().getByText('At most 45 days; these are 60').waitFor()
  expect(await button('Download').isDisabled()).toBe(true)
  await main().getByRole('textbox', { name: 'To' }).fill('31/1/2026')
  await main().getByText('Nothing in this period').waitFor()
  await button('Show the last 7 days').click()
  await main().getByText('30 rows', { exact: true }).waitFor()
})

it('a report leads on from a filter by something that no longer exists', async () => {
  await shop.visit(`${PATH}?report=r1ext&playpoint=${randomUUID()}`)
  await main().getByText('A filter names something that no longer exists').waitFor()
  await button('Device: No longer exists').waitFor()
  await button('Clear the filters').click()
  await main().getByText('The first 50 rows').waitFor()
})

it('a report asks for its track by the right kind, chosen or linked', async () => {
  const [song] = await writeSongs(shop.folder, { count: 1, seconds: 2 })
  const uid = await uploadFile(shop.client, 'melodies', song?.path ?? '')
  await shop.visit(`${PATH}?report=r1ext&from=2026-01-01&to=2026-01-02`)
  await button('Track: All').click()
  await shop.page.getByRole('option', { name: song?.name ?? '' }).click()
  await expect.poll(() => new URL(shop.page.url()).searchParams.get('contentType')).toBe('melodies')
  const complaints = collectComplaints(shop.page)
  await shop.visit(`${PATH}?report=r1ext&track=${uid}&contentType=melodies&from=2026-01-01&to=2026-01-02`)
  await button(`Track: ${song?.name}`).waitFor()
  expect(complaints).toEqual([])
})

it('a report is linked by the card of a device', async () => {
  await shop.visit(`/equipments/devicesOne/${shop.deviceUid}`)
  await main().getByRole('link', { name: 'Report', exact: true }).click()
  await shop.heading('Reports')
  await button('Device: Bakery Lane 4').waitFor()
})

it('the download of a report waits for a busy server, offers csv for too many rows, and can be tried again when the connection breaks', async () => {
  await shop.visit(`${PATH}?report=r1ext&format=xlsx`)
  await main().getByRole('table').waitFor()
  const answers: ((route: Route) => Promise<void>)[] = [
    route => route.fulfill({ status: 429, headers: { 'retry-after': '2' }, body: '{}' }),
    route => route.fulfill({ status: 413, body: '{}' }),
    route => route.abort('connectionreset'),
  ]
  await onDownload(route => (answers.shift() ?? (other => other.continue()))(route))
  await button('Download').click()
  await main()
    .getByText(/busy with another report. Next attempt in \d seconds?/)
    .waitFor()
  await button('Download as csv').click()
  await main()
    .getByText(/was not downloaded. The server does not answer/)
    .waitFor()
  expect((await save('Try again')).fileName).toMatch(/\.csv$/)
  await button('Close').click()
  expect(await main().getByText('downloaded').count()).toBe(0)
})

it('the download of a report is cancelled, also from the page that was left', async () => {
  await shop.visit(`${PATH}?report=r1ext&format=csv`)
  await main().getByRole('table').waitFor()
  const aborted = shop.page.waitForEvent('requestfailed', request =>
    /\/report\/r1ext\/(?!.*preview)/.test(request.url()),
  )
  await onDownload(() => undefined)
  await button('Download').click()
  await main().getByText('The server prepares “Plays”').waitFor()
  await shop.page.getByRole('link', { name: 'Devices', exact: true }).click()
  await shop.heading('Devices')
  await shop.page.getByRole('link', { name: 'Reports', exact: true }).click()
  expect(await button('Download').isDisabled()).toBe(true)
  await button('Cancel').click()
  await aborted
  await main().getByText('The server prepares “Plays”').waitFor({ state: 'hidden' })
  expect(await button('Download').isEnabled()).toBe(true)
})
