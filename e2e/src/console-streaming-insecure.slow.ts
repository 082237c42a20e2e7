import { readSession } from '@floorcast/contract/auth.ts'
import { collectComplaints, openBrowser } from '@floorcast/testing/browser.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  inviteStreamer,
  publishToDevice,
  type PublishedDevice,
  type SignedInClient,
} from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'
import { StreamingPage } from './streaming-page.ts'

/** A name that browsers do not take for this machine: without HTTPS its pages have no caches, hashes and service workers. */
const NAME = 'radio.example'
const shop = testConsole({ hasServiceWorker: true })
let published: PublishedDevice
let browser: Browser

beforeAll(async () => {
  const songs = await writeSongs(shop.folder, { count: 2, seconds: 6 })
  published = await publishToDevice(shop.client, songs)
  browser = await openBrowser([`--host-resolver-rules=MAP ${NAME} 127.0.0.1`])
})
afterAll(() => browser.close())

/** Opens the page of the device as a user, without HTTPS. */
async function openInsecure({ call, token }: SignedInClient): Promise<Page> {
  const origin = shop.url.replace('127.0.0.1', NAME)
  const page = await browser.newPage({ locale: 'en-GB' })
  const user = JSON.stringify(await call(readSession, {}))
  await page.goto(`${origin}/config.json`)
  await page.evaluate(
    ([userJson, secret]) => {
      localStorage.setItem('floorcast.user', userJson)
      localStorage.setItem('floorcast.token', secret)
    },
    [user, token] as const,
  )
  await page.goto(`${origin}/home/streaming/${published.deviceUid}`)
  expect(await page.evaluate(() => isSecureContext)).toBe(false)
  return page
}

it('a streamer without HTTPS is told what the page needs', async () => {
  const page = await openInsecure(await inviteStreamer(shop.client, published.deviceUid))
  await page.getByRole('heading', { name: 'This browser cannot play here' }).waitFor()
  await page.getByText('The page needs HTTPS and a browser that may store files.').waitFor()
})

it('a listener without HTTPS hears the device all the same', async () => {
  const page = await openInsecure(shop.client)
  const complaints = collectComplaints(page)
  const listening = new StreamingPage(page)
  await listening.waitForSound()
  await page.getByText(/^Next: song-/).waitFor()
  expect(complaints).toEqual([])
})
