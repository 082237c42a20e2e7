import { previewManyMedia, type BulkPlan } from '@floorcast/contract/bulk-calls.ts'
import { deleteManyMedia, listMedia, listMediaGroups, listMediaPlaylists } from '@floorcast/contract/media.ts'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { paths } from '../../platform/paths.ts'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { mediaRow } from '../../testing/media-row.ts'
import { MelodiesPage } from './media-list-page.tsx'

const uid = '0193a1f0-0000-7000-8000-000000000701'
const found = <Item,>(...items: Item[]) => ({ items, total: items.length, page: 1, size: 10 })

let server: FakeServer
let isThere: boolean
beforeEach(() => {
  server = new FakeServer()
  isThere = true
  server.answer(listMedia, () =>
    isThere ? found(mediaRow({ uid, name: 'song-1', durationSeconds: 4 })) : found(),
  )
  server.answer(listMediaGroups, () => found())
})

const held: BulkPlan = { count: 0, leftOut: [{ reason: 'in-use', count: 1 }], offline: 0 }
const dialog = page.getByRole('dialog')
const moveButton = dialog.getByRole('button', { name: 'Move to the recycle bin' })

async function askToDelete() {
  const drawn = await drawComponent(<MelodiesPage />)
  await page.getByRole('button', { name: 'Actions for song-1' }).click()
  await page.getByRole('menuitem', { name: 'Move to the recycle bin' }).click()
  return drawn
}

it('names what holds a media item before it is deleted, and then has no button to delete it', async () => {
  server.answer(listMediaPlaylists, () => found({ uid, name: 'Late hours' }))
  server.answer(previewManyMedia, () => held)
  await askToDelete()
  await expect.element(dialog.getByText(/^“song-1” is in 1 playlist and cannot be deleted/)).toBeVisible()
  await expect.element(dialog.getByText('Late hours')).toBeVisible()
  await expect.element(dialog.getByText('Nothing to do', { exact: false })).toBeVisible()
  await expect.element(moveButton).not.toBeInTheDocument()
})

it('deletes a media item that nothing holds; the message leads to the recycle bin', async () => {
  server.answer(listMediaPlaylists, () => found())
  server.answer(previewManyMedia, () => ({ count: 1, leftOut: [], offline: 0 }))
  server.answer(deleteManyMedia, (_, body) => {
    expect(body).toEqual({ uids: [uid] })
    isThere = false
    return { code: 200, done: [uid], failed: [] }
  })
  const { address } = await askToDelete()
  await expect.element(dialog.getByText(/^“song-1” is in no playlist/)).toBeVisible()
  await moveButton.click()
  await expect.element(page.getByRole('link', { name: 'song-1' })).not.toBeInTheDocument()
  await page.getByRole('status').getByRole('button', { name: 'Recycle bin' }).click()
  await expect.poll(address).toBe(paths.bin('media'))
})
