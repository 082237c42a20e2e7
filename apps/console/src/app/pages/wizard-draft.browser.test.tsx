import { CallError } from '@floorcast/contract/client.ts'
import type { AnswerOf } from '@floorcast/contract/endpoint.ts'
import { changePlaylistState, readPlaylistSource } from '@floorcast/contract/playlists.ts'
import { SmartDraft } from '@floorcast/contract/smart-playlists.ts'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { draftKey, saveDraft } from '../../features/wizard/saved-draft.ts'
import { emptyDraft, type WizardDraft } from '../../features/wizard/wizard-draft.ts'
import { paths } from '../../platform/paths.ts'
import { drawComponent, signedInUser } from '../../testing/draw-component.tsx'
import { answerRequests } from '../../testing/fake-request.ts'
import { FakeServer } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { answerLibrary, chosenSong } from '../../testing/wizard-media.ts'
import { fetchWaiting } from '../../ui/overlay/on-demand.tsx'
import { WizardPage } from './wizard-page.tsx'

const chosen: WizardDraft = {
  ...emptyDraft,
  step: 'check',
  reached: 3,
  isRoundTheClock: false,
  startDay: '08:00',
  endDay: '08:30',
  adsList: [7, 8, 9].map(n => chosenSong(n)),
  melList: [1, 2, 3, 4, 5, 6].map(n => chosenSong(n)),
}
const playlist = '0193a1f0-0000-7000-8000-0000000000c1'

let server: FakeServer
beforeAll(fetchWaiting)
beforeEach(() => {
  server = new FakeServer()
  answerLibrary(server)
})

interface Options {
  path?: string
  draft?: Partial<WizardDraft>
  width?: number
  user?: { rights: 'view' }
}

/** The wizard with a draft that this browser has kept. */
async function openDraft({ path = paths.wizard, draft = {}, ...options }: Options = {}) {
  await saveDraft(draftKey(signedInUser.uid, null), { ...chosen, ...draft })
  return drawWizard({ path, ...options })
}
const drawWizard = (options: Options = {}) =>
  drawComponent(
    <>
      <h1>{'New smart playlist'}</h1>
      <WizardPage />
    </>,
    { path: paths.wizard, ...options },
  )

const button = (name: string) => page.getByRole('button', { name })
const step = (name: string) => expect.element(page.getByRole('group', { name })).toBeVisible()
const typeIsAsked = () => expect.element(page.getByText('What will the playlist play?')).toBeVisible()
const ribbon = page.getByRole('slider', { name: /Blocks of the day/ })
const told = (text: string) => page.getByRole('status').filter({ hasText: text })
const dialog = page.getByRole('dialog')
const stepOf = (address: string) => new URLSearchParams(address.split('?')[1]).get('step')
const finish = async (name: string) => {
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await button('Finish').click()
}

it('the check of a planned day shuffles the order of the day', async () => {
  await openDraft()
  const first = page.getByRole('region', { name: 'Block 1' })
  await expect.element(first).toBeVisible()
  const before = first.element().textContent
  await button('Reshuffle').click()
  await expect.poll(() => first.element().textContent).not.toBe(before)
})

it('the check of a planned day counts plays and seconds by hour, by track and by kind', async () => {
  await openDraft()
  const table = page.getByRole('group', { name: 'Hour by hour' })
  await expect.element(table.getByRole('row', { name: /^song-7 / })).toBeVisible()
  await page.getByText('Kinds', { exact: true }).click()
  await page.getByText('Seconds', { exact: true }).click()
  const seconds = (kind: string) => {
    const row = table.getByRole('row', { name: new RegExp(`^${kind} `) }).element().textContent
    return Number(row.replace(kind, '').replaceAll(',', '').slice(0, 4))
  }
  await expect.poll(() => seconds('Ads') + seconds('Background')).toBeGreaterThan(1780)
})

it('the check of a planned day is whole on a phone', async () => {
  await openDraft({ width: 400 })
  await expect.element(ribbon).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(400)
})

it('the steps of the wizard that were not visited are not opened by their address', async () => {
  const { address } = await drawWizard({ path: `${paths.wizard}?step=check` })
  await typeIsAsked()
  await expect.poll(() => stepOf(address())).toBeNull()
})

it('the steps of the wizard go on where the draft is', async () => {
  const { address } = await openDraft({ draft: { step: 'ads', reached: 1 } })
  await step('Ad selection')
  await expect.poll(() => stepOf(address())).toBe('ads')
})

it('the steps of the wizard keep the playlist that is planned again in the address', async () => {
  const draft = SmartDraft.parse({
    ...chosen,
    smartPlUid: playlist,
    smartPlName: 'Planned twice',
    finishList: [],
    version: 1,
  })
  const source: AnswerOf<typeof readPlaylistSource> = {
    form: 'smart',
    name: 'Planned twice',
    draft: { ...draft, smartPlName: 'Planned twice', smartPlDescr: '' },
    tracks: [],
    changedMedia: [],
    m3u8: null,
  }
  server.answer(readPlaylistSource, () => source)
  const { address, back } = await drawWizard({ path: `${paths.wizard}?from=${playlist}` })
  await step('Playlist check')
  await expect.poll(address).toBe(`${paths.wizard}?from=${playlist}&step=check`)
  await button('Previous').click()
  await step('Background selection')
  // The step is drawn before its address is written.
  await expect.poll(() => stepOf(address())).not.toBe('check')
  await back()
  await step('Playlist check')
})

it('Cancel in the wizard leaves at once, and keeps nothing, where nothing would be lost', async () => {
  const { address } = await drawWizard()
  await button('Cancel').click()
  await expect.poll(address).toBe(paths.playlists)
  const begun = await drawWizard()
  await page.getByRole('button', { name: /^Audio/ }).click()
  await step('Working hours')
  await button('Cancel').click()
  await expect.poll(begun.address).toBe(paths.playlists)
  await drawWizard()
  await typeIsAsked()
})

it('Cancel in the wizard asks, and keeps the draft for later or discards it', async () => {
  const { address } = await openDraft({ draft: { step: 'ads' } })
  await button('Cancel').click()
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await step('Ad selection')
  await button('Cancel').click()
  await dialog.getByRole('button', { name: 'Keep the draft and leave' }).click()
  await expect.poll(address).toBe(paths.playlists)
  const again = await drawWizard()
  await step('Ad selection')
  await expect.element(page.getByRole('list', { name: 'Chosen ads' }).getByText('song-7')).toBeVisible()
  await button('Cancel').click()
  await dialog.getByRole('button', { name: 'Discard the draft' }).click()
  await expect.poll(again.address).toBe(paths.playlists)
  await drawWizard()
  await typeIsAsked()
})

describe('Finish in the wizard', () => {
  beforeEach(() =>
    server.answer(changePlaylistState, ({ from }) => {
      if (from !== 'paused') throw new CallError(409, null)
      return { code: 0 }
    }),
  )
  const activation = `GET /action/playlist/${playlist}/changestate`

  it('activates the playlist, and its message leads to the playlist and to its publication', async () => {
    const sent = answerRequests([
      { code: 200, uid: playlist },
      { code: 200, uid: playlist },
    ])
    const { address } = await openDraft()
    await expect.element(ribbon).toBeVisible()
    await finish('Ready to go')
    await expect.poll(address).toBe(paths.playlists)
    expect(sent).toMatchObject([
      { smartPlName: 'Ready to go', startDay: '08:00', endDay: '08:30', workTime: 1800 },
    ])
    expect(server.calls).toContainEqual({ call: activation, query: { from: 'paused' }, body: null })
    await expect.element(told('“Ready to go” created.')).toBeVisible()
    await button('Open').click()
    await expect.poll(address).toBe(paths.playlist(playlist))
    const second = await openDraft()
    await finish('Straight on the air')
    await expect.element(told('“Straight on the air” created.')).toBeVisible()
    await button('Publish').click()
    await expect.poll(second.address).toBe(`${paths.playlist(playlist)}?publish=playlist%3A${playlist}`)
  })

  it('names what has left the library since, and brings the lists up to date', async () => {
    const uid = chosenSong(9).uid
    const faults = [{ path: 'adsList.2', code: 'media-in-bin', uid, name: 'song-9' }]
    const sent = answerRequests([
      { code: 400, reason: 'media-not-as-planned', faults },
      { code: 200, uid: playlist },
    ])
    const { address } = await openDraft()
    await expect.element(page.getByRole('row', { name: /^song-9 / }).first()).toBeVisible()
    await finish('Came too late')
    await expect.element(page.getByRole('alert').getByText('“song-9” is in the recycle bin')).toBeVisible()
    answerLibrary(server, ['song-9'])
    await button('Bring the lists up to date').click()
    await expect.element(page.getByRole('row', { name: /^song-9 / })).not.toBeInTheDocument()
    await finish('Came too late')
    await expect.poll(address).toBe(paths.playlists)
    expect((sent.at(-1) as WizardDraft).adsList.map(each => each.uid)).toEqual(
      [7, 8].map(n => chosenSong(n).uid),
    )
  })

  it('keeps all that was chosen when the server does not answer, says so in view, and works once it is back', async () => {
    answerRequests([null, { code: 200, uid: playlist }])
    const { address } = await openDraft()
    await expect.element(ribbon).toBeVisible()
    await finish('Held back')
    const alert = page.getByRole('alert').filter({ hasText: 'The server does not answer' })
    await expect.element(alert.first()).toBeVisible()
    await expect.poll(() => document.activeElement?.textContent).toContain('does not answer')
    await expect.element(page.getByText('Fatal error')).toBeVisible()
    await button('Finish').click()
    await expect.poll(address).toBe(paths.playlists)
  })
})

it('plays a track of the library, one at a time', async () => {
  await openDraft({ draft: { step: 'ads' } })
  const players = () => [...document.querySelectorAll('audio')].map(each => each.getAttribute('aria-label'))
  const library = page.getByRole('list', { name: 'Library' })
  await library.getByRole('button', { name: 'Play song-7' }).click()
  await expect.poll(players).toEqual(['Player: song-7'])
  await library.getByRole('button', { name: 'Play song-8' }).click()
  await expect.poll(players).toEqual(['Player: song-8'])
  await library.getByRole('button', { name: 'Stop song-8' }).click()
  await expect.poll(players).toEqual([])
})

it('tells users with view-only access so, and shows them no button', async () => {
  const { address } = await drawWizard({ user: { rights: 'view' } })
  await expect.element(page.getByText('You have view-only access')).toBeVisible()
  await expect.element(page.getByRole('main').getByRole('button')).not.toBeInTheDocument()
  expect(await findBarriers()).toEqual([])
  await page.getByRole('link', { name: 'Playlists' }).click()
  await expect.poll(address).toBe(paths.playlists)
})
