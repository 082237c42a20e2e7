import { CallError } from '@floorcast/contract/client.ts'
import { outcomes } from '@floorcast/contract/outcomes.ts'
import { beforeEach, expect, it, vi } from 'vitest'
import { Link, useLocation } from 'react-router'
import { page, userEvent } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { findBarriers } from '../../testing/find-barriers.ts'
import { uploads, type Upload } from './upload-store.ts'
import { UploadTray } from './upload-tray.tsx'

const MB = 1_000_000

beforeEach(() => {
  uploads.set([])
})

let lastId = 1000
function uploadOf(name: string, more: Partial<Upload> = {}): Upload {
  lastId += 1
  return {
    id: lastId,
    name,
    size: 4 * MB,
    target: { contentType: 'melodies' },
    fingerprint: name,
    state: 'sending',
    sent: MB,
    speed: 500_000,
    outcome: null,
    failure: null,
    isOther: false,
    ...more,
  }
}

const tray = page.getByRole('region', { name: /^(Uploads|عمليات الرفع)$/ })
const line = (name: string) => tray.getByRole('listitem').filter({ hasText: name })
const action = (name: string) => tray.getByRole('button', { name, exact: true })
const says = (name: string, text: string | RegExp) => expect.element(line(name).getByText(text)).toBeVisible()

const Address = () => <p>{useLocation().pathname}</p>

async function drawTray(all: readonly Upload[], options?: Parameters<typeof drawComponent>[1]) {
  const drawn = await drawComponent(
    <>
      <h1>{'Melodies'}</h1>
      <Link to="/playlists">{'Playlists'}</Link>
      <Address />
      <UploadTray />
    </>,
    options,
  )
  uploads.set(all)
  if (all.length > 0) await expect.element(tray).toBeVisible()
  return drawn
}

it('the tray of uploads is not there without uploads, and comes with the first one', async () => {
  await drawTray([])
  await expect.element(tray).not.toBeInTheDocument()
  uploads.set([uploadOf('Morning.mp3')])
  await expect.element(tray.getByText('Uploading 1 file')).toBeVisible()
  await says('Morning.mp3', '25% at 500 kB per second')
  await expect
    .element(tray.getByRole('progressbar', { name: 'Progress of Morning.mp3' }))
    .toHaveAttribute('aria-valuenow', '25')
  expect(await findBarriers()).toEqual([])
})

it('the tray of uploads says in words what each file does, and offers what can be done', async () => {
  await drawTray([
    uploadOf('Waits.mp3', { state: 'waiting', sent: 0 }),
    uploadOf('Paused.mp3', { state: 'paused' }),
    uploadOf('Lost.mp3', { state: 'lost' }),
    uploadOf('Checked.mp3', { state: 'checking', sent: 4 * MB }),
    uploadOf('Done.mp3', { state: 'done' }),
    uploadOf('Cancelled.mp3', { state: 'cancelled' }),
    uploadOf('Closed.mp3', { state: 'interrupted' }),
  ])
  await says('Waits.mp3', 'Waiting')
  await says('Paused.mp3', 'Paused at 25%')
  await says('Lost.mp3', 'Connection lost at 25%. It resumes automatically.')
  await says('Checked.mp3', 'Checking the file')
  await says('Done.mp3', 'Uploaded, 4 MB')
  await says('Cancelled.mp3', 'Cancelled')
  await says('Closed.mp3', 'Interrupted at 25%. Choose the same file to resume.')
  const names = tray
    .getByRole('button')
    .elements()
    .map(button => button.getAttribute('aria-label') ?? button.textContent)
  expect(names).toEqual([
    'Collapse uploads',
    'Pause Waits.mp3',
    'Cancel Waits.mp3',
    'Resume Paused.mp3',
    'Cancel Paused.mp3',
    'Pause Lost.mp3',
    'Cancel Lost.mp3',
    'Cancel Checked.mp3',
    'Upload Cancelled.mp3 again',
    'Choose the file Closed.mp3 to resume',
    'Cancel Closed.mp3',
  ])
  expect(await findBarriers()).toEqual([])
})

it('the tray of uploads counts refused files in its head, lists them first, and says why', async () => {
  const refused = (name: string, code: number, more: object = {}) =>
    uploadOf(name, { state: 'refused', outcome: { code, ...more } })
  await drawTray([
    uploadOf('Here.mp3', { state: 'done' }),
    refused('Song.wav', outcomes.wrongFileType, { reason: 'not-mp3' }),
    refused('Twice.mp3', outcomes.nameExists, { names: ['Twice.mp3'] }),
    refused('Large.mp3', outcomes.storageFull),
    uploadOf('Strange.mp3', { state: 'failed', failure: new CallError(500, null) }),
  ])
  const status = tray.getByRole('status')
  await expect.poll(() => status.element().textContent).toBe('1 file uploaded4 files not uploaded')
  await says('Twice.mp3', /already/)
  const order = tray
    .getByRole('listitem')
    .elements()
    .map(item => item.textContent)
  expect(order.at(-1)).toContain('Here.mp3')
  // A wrong file stays wrong; storage may be freed, and the server may recover.
  await expect.element(action('Upload Large.mp3 again')).toBeVisible()
  await expect.element(action('Upload Strange.mp3 again')).toBeVisible()
  await expect.element(action('Upload Song.wav again')).not.toBeInTheDocument()
  expect(await findBarriers()).toEqual([])
})

it('the tray of uploads collapses by key, keeps its counts in view, and clears what has ended', async () => {
  await drawTray([
    uploadOf('Here.mp3', { state: 'done' }),
    uploadOf('Broken.mp3', { state: 'failed', failure: new CallError(500, null) }),
  ])
  action('Collapse uploads').element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(action('Expand uploads')).toHaveAttribute('aria-expanded', 'false')
  await expect.element(line('Broken.mp3')).not.toBeInTheDocument()
  await expect.element(tray.getByText('1 file not uploaded')).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(line('Broken.mp3')).toBeVisible()
  await action('Clear').click()
  await expect.element(tray).not.toBeInTheDocument()
})

it('the tray of uploads folds on another page and by Escape, covers little then, and keeps what was refused', async () => {
  const refused = {
    state: 'refused',
    outcome: { code: outcomes.wrongFileType, reason: 'not-mp3' },
  } as const
  // The path fits the other page too: the tray stays, as in the frame of all pages.
  await drawTray([uploadOf('Song.wav', refused), uploadOf('On the way.mp3')], {
    path: '/:page',
    width: 400,
  })
  await page.getByRole('link', { name: 'Playlists' }).click()
  await expect.element(page.getByText('/playlists')).toBeVisible()
  await expect.element(action('Collapse uploads')).toBeVisible()
  uploads.set(uploads.get().map(upload => ({ ...upload, state: 'refused', outcome: refused.outcome })))
  await says('On the way.mp3', /Wrong file type|not an MP3/)
  action('Clear').element().focus()
  await userEvent.keyboard('{Escape}')
  await expect.element(action('Expand uploads')).toHaveFocus()
  await expect.element(tray.getByText('2 files not uploaded')).toBeVisible()
  await expect.element(line('Song.wav')).not.toBeInTheDocument()
  await expect.element(action('Clear')).not.toBeInTheDocument()
  const { width, height } = tray.element().getBoundingClientRect()
  expect([width < 280, height < 56]).toEqual([true, true])
  expect(await findBarriers()).toEqual([])
  await action('Expand uploads').click()
  await says('Song.wav', /Wrong file type|not an MP3/)
  await page.getByRole('link', { name: 'Playlists' }).click()
  await expect.element(line('Song.wav')).toBeVisible()
})

it('the tray of uploads that has ended is folded when the user goes to another page, and opens with the next file', async () => {
  await drawTray([uploadOf('Broken.mp3', { state: 'failed', failure: new CallError(500, null) })], {
    path: '/:page',
  })
  await expect.element(line('Broken.mp3')).toBeVisible()
  await page.getByRole('link', { name: 'Playlists' }).click()
  await expect.element(action('Expand uploads')).toBeVisible()
  await expect.element(tray.getByText('1 file not uploaded')).toBeVisible()
  await expect.element(line('Broken.mp3')).not.toBeInTheDocument()
  uploads.set([...uploads.get(), uploadOf('Next.mp3')])
  await expect.element(line('Next.mp3')).toBeVisible()
  await expect.element(line('Broken.mp3')).toBeVisible()
})

it('the tray of uploads leaves by itself when all have arrived, but not under the pointer', async () => {
  await drawTray([uploadOf('Here.mp3', { state: 'done' })])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    await userEvent.hover(tray)
    vi.advanceTimersByTime(20_000)
    expect(uploads.get()).toHaveLength(1)
    await userEvent.unhover(tray)
    vi.advanceTimersByTime(20_000)
    expect(uploads.get()).toHaveLength(0)
  } finally {
    vi.useRealTimers()
  }
})

it('the tray of uploads pauses and cancels a file', async () => {
  await drawTray([uploadOf('Morning.mp3', { state: 'waiting', sent: 0 })])
  await action('Pause Morning.mp3').click()
  await says('Morning.mp3', 'Paused at 0%')
  await expect.element(tray.getByText('1 upload on hold')).toBeVisible()
})

it.each(['en', 'ar'] as const)(
  'the tray of uploads is whole in a narrow window in %s, with a name that is too long',
  async language => {
    const long = `${'A very long name of a song '.repeat(6)}.mp3`
    await drawTray([uploadOf(long)], { language, width: 400 })
    const region = page.getByRole('region')
    await expect.element(region).toBeVisible()
    const { left, right } = region.element().getBoundingClientRect()
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(400)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(400)
    await expect.element(region.getByTitle(long)).toBeVisible()
    expect(await findBarriers()).toEqual([])
  },
)
