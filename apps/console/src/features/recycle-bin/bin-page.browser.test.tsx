import { previewManyBinned, purgeMany, restoreMany, type BulkPlan } from '@floorcast/contract/bulk-calls.ts'
import type { AnswerOf } from '@floorcast/contract/endpoint.ts'
import { listBin, listDependents, restore, type BinRow } from '@floorcast/contract/recycle-bin.ts'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { loadWords } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { DevicesBinPage, GroupsBinPage, MediaBinPage, PublicationsBinPage } from './bin-page.tsx'

const uidOf = (n: number) => `0193a1f0-0000-7000-8000-00000000060${n}`
const day = 86_400_000
const binned = (n: number, name: string): BinRow => ({
  uid: uidOf(n),
  name,
  description: '',
  kind: 'audio',
  mediaType: null,
  deletedAt: '2026-06-10T22:30:00.000Z',
  deletedBy: 'ines@example.com',
  purgedAt: new Date(Date.now() + 29.5 * day).toISOString(),
})

let server: FakeServer
/** The items of the bin. */
let bin: BinRow[]
const take = (uids: readonly string[]) => {
  bin = bin.filter(({ uid }) => !uids.includes(uid))
}
const plan = (more: Partial<BulkPlan>): BulkPlan => ({ count: 1, leftOut: [], offline: 0, ...more })

beforeAll(() => loadWords('recycle', 'deployments'))
beforeEach(() => {
  server = new FakeServer()
  bin = []
  server.answer(listBin, () => ({ items: bin, total: bin.length, page: 1, size: 10 }))
  server.answer(listDependents, () => [])
})

const Titled = ({ of: List }: { of: () => React.ReactNode }) => (
  <>
    <h1>{'Deleted items'}</h1>
    <List />
  </>
)
const draw = (list: () => React.ReactNode, options?: Parameters<typeof drawComponent>[1]) =>
  drawComponent(<Titled of={list} />, { path: '/trash', ...options })
const dialog = page.getByRole('dialog')
const menuOf = (name: string) => page.getByRole('button', { name: `Actions for ${name}` })
const button = (name: string) => page.getByRole('button', { name })
async function choose(name: string, action: string): Promise<void> {
  await menuOf(name).click()
  await page.getByRole('menuitem', { name: action }).click()
}
const told = (text: string) => page.getByRole('status').filter({ hasText: text })
const purgeButton = dialog.getByRole('button', { name: 'Delete for good' })
/** The newest answer to a restore. */
const answerRestore = (answer: AnswerOf<typeof restore>) =>
  server.answer(restore, (_, __, { uid }) => {
    if (answer.code === 200) take([uid])
    return answer
  })

it('a list of the recycle bin says who deleted an item and when it goes, and restores it', async () => {
  bin = [binned(1, 'Harbour shops')]
  await draw(() => <GroupsBinPage />)
  await expect.element(page.getByRole('cell', { name: 'ines@example.com' })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'in 30 days' })).toBeVisible()
  expect(await findBarriers()).toEqual([])
  answerRestore({ code: 200, name: 'Harbour shops' })
  await choose('Harbour shops', 'Restore')
  await expect.element(told('“Harbour shops” restored')).toBeVisible()
  await expect.element(menuOf('Harbour shops')).not.toBeInTheDocument()
})

it('a list of the recycle bin names the new name of an item whose name was taken, and leads to it', async () => {
  bin = [binned(1, 'Airport shops')]
  const { address } = await draw(() => <GroupsBinPage />)
  answerRestore({ code: 200, name: 'Airport shops - restored' })
  await choose('Airport shops', 'Restore')
  const message =
    '“Airport shops” restored as “Airport shops - restored”, because another one has that name now'
  await expect.element(told(message)).toBeVisible()
  await button('Open').click()
  await expect.poll(address).toBe(`/equipments/groupsOne/${uidOf(1)}`)
})

it('a list of the recycle bin keeps an item that another one in it needs, names that one and leads to it', async () => {
  bin = [binned(1, 'Summer sale group')]
  server.answer(previewManyBinned, () => plan({ count: 0, leftOut: [{ reason: 'needed-in-bin', count: 1 }] }))
  const needing = { kind: 'publications' as const, uid: uidOf(2), name: 'Summer sale', state: null }
  server.answer(listDependents, () => [{ ...needing, isInBin: true, isBlocking: true }])
  const { address } = await draw(() => <GroupsBinPage />)
  await choose('Summer sale group', 'Delete for good')
  await expect
    .element(dialog.getByText('1 is needed by another item in the recycle bin and stays', { exact: false }))
    .toBeVisible()
  await expect.element(purgeButton).not.toBeInTheDocument()
  expect(await findBarriers()).toEqual([])
  await dialog.getByRole('link', { name: 'Summer sale' }).click()
  await expect.poll(address).toBe('/trash/publicationsTrash?search=%22Summer+sale%22')
})

it('a list of the recycle bin deletes an item for good after it has said that this cannot be undone', async () => {
  bin = [binned(1, 'Summer sale')]
  server.answer(previewManyBinned, () => plan({}))
  server.answer(purgeMany, (_, body) => {
    const { uids } = body as { uids: string[] }
    take(uids)
    return { code: 200, done: uids, failed: [] }
  })
  await draw(() => <PublicationsBinPage />)
  await choose('Summer sale', 'Delete for good')
  await expect.element(dialog.getByText('This cannot be undone', { exact: false })).toBeVisible()
  await purgeButton.click()
  await expect.element(told('“Summer sale” deleted for good')).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(menuOf('Summer sale')).not.toBeInTheDocument()
})

it('a list of the recycle bin restores a publication together with the group and the playlist that it needs', async () => {
  bin = [binned(1, 'Winter sale')]
  const needs = [
    { kind: 'groups' as const, uid: uidOf(2), name: 'Winter sale group' },
    { kind: 'playlists' as const, uid: uidOf(3), name: 'Winter sale playlist' },
  ]
  const restored: string[] = []
  server.answer(restore, (_, __, { uid }) => {
    const missing = uid === uidOf(1) ? needs.filter(need => !restored.includes(need.uid)) : []
    if (missing.length > 0) return { code: 400, reason: 'restore-these-first', needs: missing }
    restored.push(uid)
    take([uid])
    return { code: 200, name: 'Winter sale' }
  })
  const { address } = await draw(() => <PublicationsBinPage />)
  await choose('Winter sale', 'Restore')
  // Mantine names a dialog after it has drawn the title.
  await expect.element(page.getByRole('dialog', { name: 'Restore what it needs too?' })).toBeVisible()
  await expect.element(dialog.getByRole('link', { name: 'Winter sale group' })).toBeVisible()
  await expect.element(dialog.getByRole('link', { name: 'Winter sale playlist' })).toBeVisible()
  expect(await findBarriers()).toEqual([])
  await dialog.getByRole('button', { name: 'Restore all' }).click()
  await button('Open').click()
  expect(restored).toEqual([uidOf(2), uidOf(3), uidOf(1)])
  await expect.poll(address).toBe(`/deployments/publicationsOne/${uidOf(1)}`)
})

it('a list of the recycle bin says how much storage it frees when it is emptied, and names what stayed and why', async () => {
  bin = [
    { ...binned(1, 'song-1'), kind: null, mediaType: 'melodies' },
    { ...binned(2, 'song-2'), kind: null, mediaType: 'melodies' },
  ]
  server.answer(previewManyBinned, (_, body) => {
    expect(body).toMatchObject({ items: { all: true, except: [] }, action: 'purge' })
    return plan({ leftOut: [{ reason: 'needed-in-bin', count: 1 }], freedBytes: 2_500_000 })
  })
  server.answer(purgeMany, () => {
    take([uidOf(2)])
    const failed = [{ uid: uidOf(1), name: 'song-1', code: 921, names: ['Old mix'] }]
    return { code: 303, done: [uidOf(2)], failed }
  })
  await draw(() => <MediaBinPage />)
  await button('Empty this bin').click()
  await expect.element(dialog.getByText('1 item will be deleted for good.')).toBeVisible()
  await expect.element(dialog.getByText(/^This frees 2\.5\sMB of storage\.$/)).toBeVisible()
  await expect
    .element(dialog.getByText('1 is needed by another item in the recycle bin and stays', { exact: false }))
    .toBeVisible()
  await purgeButton.click()
  const stayed = dialog.getByRole('listitem')
  await expect.element(stayed.getByText('Not deleted: it is in Old mix')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect.element(page.getByText('song-1')).toBeVisible()
  await expect.element(page.getByText('song-2')).not.toBeInTheDocument()
})

it('a list of the recycle bin restores what the plan allows of a selection, and leads to the plans for the rest', async () => {
  bin = [binned(1, 'Quay 1'), binned(2, 'Quay 2')]
  server.answer(previewManyBinned, () => plan({ leftOut: [{ reason: 'device-limit', count: 1 }] }))
  server.answer(restoreMany, () => {
    take([uidOf(1)])
    const failed = [{ uid: uidOf(2), name: 'Quay 2', code: 400, reason: 'device-limit', limit: 3 }]
    return { code: 303, done: [uidOf(1)], failed }
  })
  const { address } = await draw(() => <DevicesBinPage />)
  await page.getByRole('checkbox', { name: 'Select every row of this page' }).click()
  const actions = page.getByRole('region', { name: 'Actions for the selection' })
  await actions.getByRole('button', { name: 'Restore' }).click()
  await expect.element(dialog.getByText('1 item will be restored.')).toBeVisible()
  const line = dialog.getByRole('listitem')
  await expect.element(line.getByText('Over your plan’s limit: 1 device.', { exact: false })).toBeVisible()
  await expect.element(line.getByRole('link', { name: 'Compare plans' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Restore' }).click()
  const limit = 'Your plan allows 3 devices, and you have them all'
  await expect.element(line.getByText(limit, { exact: false })).toBeVisible()
  await line.getByRole('link', { name: 'Compare plans' }).click()
  await expect.poll(address).toBe(paths.pricing)
})

it('a list of the recycle bin leads to the plans from the message about one device that the plan does not allow', async () => {
  bin = [binned(1, 'Quay 1')]
  const { address } = await draw(() => <DevicesBinPage />)
  answerRestore({ code: 400, reason: 'device-limit', limit: 3 })
  await choose('Quay 1', 'Restore')
  await page.getByRole('alert').getByRole('button', { name: 'Compare plans' }).click()
  await expect.poll(address).toBe(paths.pricing)
})

it('a list of the recycle bin shows no button that users with view-only access may not use', async () => {
  bin = [binned(1, 'Station shops')]
  await draw(() => <GroupsBinPage />, { user: { rights: 'view' } })
  await expect.element(page.getByText('Station shops')).toBeVisible()
  await expect.element(menuOf('Station shops')).not.toBeInTheDocument()
  await expect.element(page.getByRole('checkbox')).not.toBeInTheDocument()
  await expect.element(button('Empty this bin')).not.toBeInTheDocument()
})
