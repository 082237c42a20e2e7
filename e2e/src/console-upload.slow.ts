import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listMedia } from '@floorcast/contract/media.ts'
import { concatBytes, id3v2Tag } from '@floorcast/testing/media-mpeg.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { startReverseProxy } from '@floorcast/testing/reverse-proxy.ts'
import type { CDPSession, Locator } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations, measureOverflow } from './page-checks.ts'

const shop = testConsole({ hasOwnServer: true })

/** Upload speed in bytes a second: slow enough to interrupt, fast enough to wait for. */
const SLOW = 1_500_000
/** 8 MB, nearly all of it a tag: the server measures the loudness of each second of sound after the upload. */
const song = concatBytes(id3v2Tag(8_000_000), makeSong({ notes: [0, 4, 7, 4], seconds: 2 }))
const songPath = (name: string) => join(shop.folder, name)

interface Sent {
  method: string
  offset: number
}
let sent: Sent[] = []
let tray: Locator
let devtools: CDPSession | undefined

beforeAll(() => writeFile(songPath('long.mp3'), song))
beforeEach(() => {
  sent = []
  devtools = undefined
  tray = shop.page.getByRole('region', { name: 'Uploads' })
  shop.page.on('request', request => {
    if (!request.url().includes('/api/v2/upload/')) return
    sent.push({ method: request.method(), offset: Number(request.headers()['upload-offset'] ?? 0) })
  })
})

afterEach(async () => {
  if (!devtools) return
  await sendAt(null)
  await devtools.detach()
})

/** Limits the upload speed of the page; null: no limit, 0: no network. */
async function sendAt(bytesPerSecond: number | null): Promise<void> {
  devtools ??= await shop.context.newCDPSession(shop.page)
  await devtools.send('Network.emulateNetworkConditions', {
    offline: bytesPerSecond === 0,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond || -1,
  })
}

async function choose(button: string, path: string): Promise<void> {
  const dialog = shop.page.waitForEvent('filechooser')
  await shop.page.getByRole('button', { name: button, exact: true }).click()
  await (await dialog).setFiles(path)
}

const unfinished = () => join(shop.dataFolder, 'media', 'unfinished')

/** Starts a slow upload; resolves when the server has some of the bytes. */
async function begin(name: string): Promise<string> {
  const path = songPath(name)
  const before = await readdir(unfinished())
  await writeFile(path, song)
  await shop.visit('/media/melodies')
  await sendAt(SLOW)
  await choose('Upload melodies', path)
  await tray.getByText(/^[1-9]\d? ?% at/).waitFor()
  const bytesThere = async () => {
    const [uid] = (await readdir(unfinished())).filter(each => !before.includes(each))
    return uid ? (await stat(join(unfinished(), uid))).size : 0
  }
  await expect.poll(bytesThere, { timeout: 15_000 }).toBeGreaterThan(0)
  return path
}

const patches = () => sent.filter(({ method }) => method === 'PATCH')
const named = async (name: string) => {
  const { items } = await shop.client.call(listMedia, {
    params: { contentType: 'melodies' },
    query: { search: name },
  })
  return items.map(({ sizeBytes, originalName }) => ({ sizeBytes, originalName }))
}
/** Expects the whole file once, from one upload. */
async function arrived(name: string): Promise<void> {
  await tray.getByText(/^Uploaded/).waitFor({ timeout: 60_000 })
  expect(await named(name.replace('.mp3', ''))).toEqual([{ sizeBytes: song.length, originalName: name }])
  expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1)
}

it('an upload on the tray pauses, and goes on from where it is', async () => {
  await begin('paused.mp3')
  await tray.getByRole('button', { name: 'Pause paused.mp3' }).click()
  await tray.getByText(/^Paused at/).waitFor()
  await tray.getByText('1 upload on hold').waitFor()
  await sendAt(null)
  await tray.getByRole('button', { name: 'Resume paused.mp3' }).click()
  await arrived('paused.mp3')
  expect(patches()).toHaveLength(2)
  expect(patches()[1]?.offset).toBeGreaterThan(0)
})

it('an upload on the tray goes on by itself when the server was killed and is back', async () => {
  await begin('killed.mp3')
  await shop.killServer()
  await tray.getByText(/^Connection lost at/).waitFor()
  await shop.startServer()
  await sendAt(null)
  await arrived('killed.mp3')
  expect(patches().at(-1)?.offset).toBeGreaterThan(0)
})

it('an upload on the tray goes on after the page was loaded anew, once the same file is chosen', async () => {
  const path = await begin('reloaded.mp3')
  await shop.page.reload()
  await tray.getByText(/^Interrupted at [1-9]\d? ?%\. Choose/).waitFor()
  await sendAt(null)
  await choose('Choose the file reloaded.mp3 to resume', songPath('long.mp3'))
  await tray.getByText('That was another file').waitFor()
  await choose('Choose the file reloaded.mp3 to resume', path)
  await arrived('reloaded.mp3')
  expect(patches().at(-1)?.offset).toBeGreaterThan(0)
  await shop.page.reload()
  await shop.heading('Melodies')
  expect(await tray.count()).toBe(0)
})

it('an upload on the tray that waited when the page was closed is named, and comes when it is chosen again', async () => {
  await begin('sent.mp3')
  const more = ['sent-too.mp3', 'waited.mp3', 'never.mp3']
  for (const name of more) {
    await writeFile(songPath(name), song)
    await choose('Upload melodies', songPath(name))
  }
  const line = (name: string) => tray.getByRole('listitem').filter({ hasText: name })
  await line('never.mp3').getByText('Waiting', { exact: true }).waitFor()
  await shop.page.reload()
  await line('waited.mp3').getByText('Not uploaded. Choose the file again.').waitFor()
  await line('never.mp3').getByText('Not uploaded. Choose the file again.').waitFor()
  await sendAt(null)
  await choose('Choose the file waited.mp3 to resume', songPath('waited.mp3'))
  await line('waited.mp3')
    .getByText(/^Uploaded/)
    .waitFor({ timeout: 60_000 })
  for (const name of ['sent.mp3', 'sent-too.mp3', 'never.mp3'])
    await tray.getByRole('button', { name: `Cancel ${name}` }).click()
  await shop.page.reload()
  await shop.heading('Melodies')
  expect(await tray.count()).toBe(0)
})

it('an upload on the tray goes on after the page was loaded anew, when the same file is dropped on its list', async () => {
  const path = await begin('dropped.mp3')
  await shop.page.reload()
  await tray.getByText(/^Interrupted at [1-9]/).waitFor()
  await sendAt(null)
  await choose('Upload melodies', path)
  await arrived('dropped.mp3')
  expect(patches().at(-1)?.offset).toBeGreaterThan(0)
})

it('an upload on the tray that is cancelled is forgotten by the server, and may be begun again', async () => {
  await begin('cancelled.mp3')
  await tray.getByRole('button', { name: 'Cancel cancelled.mp3' }).click()
  await tray.getByRole('listitem').getByText('Cancelled', { exact: true }).waitFor()
  await expect.poll(() => sent.map(({ method }) => method)).toContain('DELETE')
  await expect.poll(() => readdir(unfinished())).toEqual([])
  await shop.page.reload()
  await shop.heading('Melodies')
  expect(await named('cancelled')).toEqual([])
  expect(await tray.count()).toBe(0)
})

it('an upload on the tray whose last answer was lost is told how it ended, and nothing is stored twice', async () => {
  let isLost = false
  await shop.page.route('**/api/v2/upload/*-*', async route => {
    if (isLost || route.request().method() !== 'PATCH') return route.continue()
    isLost = true
    await route.fetch()
    await route.abort('connectionreset')
  })
  await writeFile(songPath('answered.mp3'), song)
  await shop.visit('/media/melodies')
  await choose('Upload melodies', songPath('answered.mp3'))
  await arrived('answered.mp3')
  expect(patches().map(({ offset }) => offset)).toEqual([0, song.length])
})

it('an upload on the tray that finds no room is tried again from its beginning', async () => {
  let turn = 0
  await shop.page.route('**/api/v2/upload/', route => {
    turn += 1
    return turn === 1
      ? route.fulfill({ json: { data: { code: 903, names: ['full.mp3'] } } })
      : route.continue()
  })
  await writeFile(songPath('full.mp3'), song)
  await shop.visit('/media/melodies')
  await choose('Upload melodies', songPath('full.mp3'))
  await tray.getByText('Not enough storage in your subscription').waitFor()
  await tray.getByRole('button', { name: 'Upload full.mp3 again' }).click()
  await tray.getByText(/^Uploaded/).waitFor()
  expect(await named('full')).toHaveLength(1)
})

it('an upload on the tray of a file that changed on the way ends with what to do', async () => {
  const path = await begin('changed.mp3')
  await tray.getByRole('button', { name: 'Pause changed.mp3' }).click()
  await tray.getByText(/^Paused at/).waitFor()
  await writeFile(path, 'something else')
  await utimes(path, new Date(), new Date(Date.now() + 5000))
  await sendAt(null)
  await tray.getByRole('button', { name: 'Resume changed.mp3' }).click()
  await tray.getByText('The file has changed').waitFor()
  expect(await named('changed')).toEqual([])
})

const MIB = 1024 * 1024

describe('behind nginx as Debian installs it', () => {
  let proxied = ''
  beforeAll(async () => {
    const port = await startReverseProxy('nginx', Number(new URL(shop.url).port), { maxBody: '1m' })
    proxied = `http://127.0.0.1:${port}`
  })

  it('a song arrives in parts that nginx takes, and goes on from there after a break', async () => {
    const bytes = concatBytes(id3v2Tag(14_000_000), makeSong({ notes: [0, 3, 7], seconds: 2 }))
    await writeFile(songPath('behind.mp3'), bytes)
    await shop.visitAt(proxied, '/media/melodies')
    await sendAt(2 * SLOW)
    await choose('Upload melodies', songPath('behind.mp3'))
    await expect.poll(() => patches().at(-1)?.offset, { timeout: 30_000 }).toBeGreaterThan(2 * MIB)
    await sendAt(0)
    await tray.getByText(/^Connection lost at/).waitFor()
    // Their ids ascend: uploads of other tests may be there.
    const uid = (await readdir(unfinished())).toSorted().at(-1) ?? ''
    const there = (await stat(join(unfinished(), uid))).size
    const shown = Number(await tray.getByRole('progressbar').getAttribute('aria-valuenow'))
    expect(Math.abs((shown / 100) * bytes.length - there)).toBeLessThanOrEqual(MIB)
    await sendAt(null)
    await tray.getByText(/^Uploaded/).waitFor({ timeout: 60_000 })
    expect(await named('behind')).toEqual([{ sizeBytes: bytes.length, originalName: 'behind.mp3' }])
    const offsets = patches().map(({ offset }) => offset)
    // 8, 4 and 2 MiB are refused; then no part is larger than 1 MiB.
    expect(offsets.filter(offset => offset === 0)).toHaveLength(4)
    const steps = [...offsets, bytes.length].map((offset, index) => offset - (offsets[index - 1] ?? 0))
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...steps)).toBe(MIB)
  })
})

const themes = [
  { mode: 'light', language: 'en', width: 1440 },
  { mode: 'dark', language: 'ar', width: 400 },
] as const

it.each(themes)(
  'the tray, whatever is on it is legible and in place: $mode, $language, $width',
  async theme => {
    await begin('A very long name of a file that was begun before the page was loaded anew.mp3')
    await shop.page.setViewportSize({ width: theme.width, height: 900 })
    await shop.page.evaluate(({ mode, language }) => {
      localStorage.setItem('floorcast.language', language)
      localStorage.setItem('floorcast.personalization', JSON.stringify({ mode }))
    }, theme)
    await shop.page.reload()
    await shop.page.locator('[data-state=interrupted]').waitFor()
    const files = ['off.mp3', 'held.mp3', 'text.mp3']
    for (const name of files) await writeFile(songPath(name), name === 'text.mp3' ? 'milk, bread' : song)
    const add = async (name: string) => {
      const dialog = shop.page.waitForEvent('filechooser')
      await shop.page
        .locator('header button, main button')
        .filter({ hasText: /Upload|رفع/ })
        .first()
        .click()
      await (await dialog).setFiles(songPath(name))
    }
    await add('text.mp3')
    await shop.page.locator('[data-state=refused]').waitFor()
    await add('held.mp3')
    await shop.page.locator('[data-state=sending]').waitFor()
    await shop.page.locator('[data-state=sending] button').first().click()
    await shop.page.route('**/api/v2/upload/*-*', route =>
      route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.continue(),
    )
    await add('off.mp3')
    await shop.page.locator('[data-state=lost]').waitFor()
    expect(await findAxeViolations(shop.page)).toEqual([])
    expect(await measureOverflow(shop.page)).toBe(0)
  },
)
