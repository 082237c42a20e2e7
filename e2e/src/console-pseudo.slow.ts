import { addChannel } from '@floorcast/contract/update-channels.ts'
import { addPackage } from '@floorcast/contract/update-packages.ts'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import { deleteGroup, listGroups } from '@floorcast/contract/groups.ts'
import { collectComplaints, sharedBrowser } from '@floorcast/testing/browser.ts'
import { readSession } from '@floorcast/contract/auth.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { beforeAll, expect, it } from 'vitest'
import { publishToDevice } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'
import { findEveryPage } from './every-page.ts'
import { measureOverflow } from './page-checks.ts'
import { findUnbracketed, speakPseudo } from './pseudo-language.ts'

const shop = testConsole()

beforeAll(async () => {
  const songs = await writeSongs(shop.folder, { count: 2, seconds: 3 })
  await publishToDevice(shop.client, songs.slice(0, 1), songs.slice(1))
  const { call } = shop.client
  await call(addPackage, { body: { name: 'Player', category: 'Program', version: '2.776.0' } })
  const groups = (await call(listGroups, { params: { x: 'all' } })).items
  await call(addChannel, { body: { name: 'First shops', groupUids: [] } })
  await call(addTag, {
    params: { contentType: 'device', uid: shop.deviceUid },
    body: { key: 'city', value: 'Oslo' },
  })
  const unused = groups.find(({ name }) => name === 'Food shops')
  if (unused) await call(deleteGroup, { body: { uid: unused.uid } })
})

/** The texts of users, devices and the server. */
const names =
  /\d · [0-9a-f]{8}\b|Floorcast|Olga|Petrova|olga\.\d+@example\.com|Bakery Lane 4|Central Station|Food shops|First shops|City shops|Shop floor|On air|Till 1|Night downloads|Oslo|city|song-\d|Program|Player|node|PostgreSQL|العربية|简体中文|Deutsch|English|Español|Français|Português|Русский|Українська/gu
/** The English texts of Intl, names of plans, keys, formats and units. */
const international =
  /\b(?:AM|PM|UTC|GMT|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|kB|MB|GB|TB|bytes?|LUFS|dBTP|dB|kHz|sec|min|hr|days?|hours?|minutes?|seconds?|ago|in|this|now|USD|Ctrl|Alt|Shift|Trial|Basic|Medium|Professional|xlsx|csv|pdf|MP[34]|ISRC)\b|(?:kB|MB|GB|bytes)(?=\d|$)/gu
const isData = (text: string) => !/\p{L}{2}/u.test(text.replaceAll(names, ' ').replaceAll(international, ' '))

it('every visible word goes through a catalogue, and longer words break no page', async () => {
  const open = ['/login', '/verify', '/terms', '/lock']
  // The page of all components has its own, Arabic words.
  const signedIn = (await findEveryPage(shop.client)).filter(
    address => ![...open, '/pages/rtl'].includes(address),
  )
  const browser = await sharedBrowser()
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    reducedMotion: 'reduce',
  })
  await speakPseudo(context)
  const user = JSON.stringify(await shop.client.call(readSession, {}))
  const page = await context.newPage()
  const complaints = collectComplaints(page)
  const faults: string[] = []
  for (const address of [...open, ...signedIn]) {
    const isPublic = open.includes(address)
    await page.goto(`${shop.url}/config.json`)
    await page.evaluate(
      ([record, token]) => {
        localStorage.setItem('floorcast.language', 'en')
        if (record) localStorage.setItem('floorcast.user', record)
        else localStorage.removeItem('floorcast.user')
        if (token) localStorage.setItem('floorcast.token', token)
        else localStorage.removeItem('floorcast.token')
      },
      [address === '/lock' || !isPublic ? user : '', isPublic ? '' : shop.client.token] as const,
    )
    await page.goto(shop.url + address)
    await page.locator('main').waitFor()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'hidden' })
    await page.getByText('⟦').first().waitFor()
    const found = await findUnbracketed(page, isData)
    faults.push(...found.map(text => `${address}: ${text}`))
    if ((await measureOverflow(page)) > 0) faults.push(`${address}: wider than the window`)
  }
  await context.close()
  expect(faults).toEqual([])
  expect(complaints).toEqual([])
})
