import { listPlaylists, readPlaylistSource } from '@floorcast/contract/playlists.ts'
import type { SmartDraft } from '@floorcast/contract/smart-playlists.ts'
import { expect } from 'vitest'
import type { ConsoleUnderTest } from './console-under-test.ts'

/** The draft that the server stores of the client's smart playlist of this name. */
export async function readSmartDraft(
  shop: ConsoleUnderTest,
  name: string,
): Promise<SmartDraft & { uid: string }> {
  const { items } = await shop.client.call(listPlaylists, {
    params: { x: 'all' },
    query: { search: `"${name}"` },
  })
  const named = items.filter(item => item.name === name)
  expect(named).toMatchObject([{ form: 'smart' }])
  const uid = named[0]?.uid ?? ''
  const { draft } = await shop.client.call(readPlaylistSource, { params: { id: uid } })
  if (!draft) throw new Error(`${name} has no draft`)
  return { ...draft, uid }
}
