import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
  splitManifest,
} from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, onTestFinished, test } from 'vitest'
import { makeManifestStore } from '@floorcast/device-client/manifest-store.ts'
import { makeStateStore } from './state-store.ts'
import { openStore } from './store.ts'

function openState() {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-manifests-'))
  const store = openStore(dataDir)
  onTestFinished(() => {
    store.close()
    rmSync(dataDir, { recursive: true })
  })
  return makeStateStore(store)
}

/** A manifest that plays one song, as it was fetched. */
function sentManifest(song: number) {
  const publications = [makePublication(makePlaylist([makeItem(0)]))]
  const { manifest, programmes } = splitManifest(makeManifest({ files: [makeFile(song)], publications }))
  const [sha256 = ''] = programmes.keys()
  return { sha256, sent: { etag: `"${song}"`, manifest, programmes } }
}

const nameOfFirst = (stored: ReturnType<ReturnType<typeof makeManifestStore>['newest']>) =>
  stored?.manifest.publications[0]?.files[0]?.name

test('Manifest and programmes survive a restart; a programme that is lost makes both be fetched again', () => {
  const state = openState()
  const { sha256, sent } = sentManifest(1)
  makeManifestStore(state).save(sent, 0)
  const again = makeManifestStore(state)
  expect(again.newest()?.manifest.publications[0]?.files).toMatchObject([{ name: 'Song 1' }])
  expect([again.newestEtag(), again.hasProgramme(sha256)]).toEqual(['"1"', true])
  state.remove(`programme-${sha256}`)
  const lost = makeManifestStore(state)
  expect([lost.newestEtag(), lost.hasProgramme(sha256)]).toEqual([undefined, false])
  lost.save(sent, 0)
  expect(lost.newestEtag()).toBe('"1"')
})

test('On a disk without room the new manifest plays, and the former one plays after a restart', () => {
  const state = openState()
  let isFull = false
  const write = (name: string, value: unknown) =>
    !(isFull && name.startsWith('programme-')) && state.write(name, value)
  const store = makeManifestStore({ ...state, write })
  const [first, second] = [sentManifest(1), sentManifest(2)]
  store.save(first.sent, 0)
  store.promoteNewest()
  isFull = true
  store.save(second.sent, 0)
  store.promoteNewest()
  const songOf = (manifests: typeof store) => [manifests.playing(), manifests.newest()].map(nameOfFirst)
  expect(songOf(store)).toEqual(['Song 2', 'Song 2'])
  expect(songOf(makeManifestStore(state))).toEqual(['Song 1', 'Song 1'])
  // With room again the manifest is fetched and stored after a restart, as its ETag shows.
  expect(makeManifestStore(state).newestEtag()).toBe('"1"')
})

test('A programme is kept while the manifest in use or the newest one names it', () => {
  const state = openState()
  const store = makeManifestStore(state)
  const [first, second, third] = [sentManifest(1), sentManifest(2), sentManifest(3)]
  store.save(first.sent, 0)
  store.promoteNewest()
  store.save(second.sent, 0)
  store.save(third.sent, 0)
  const held = () => [first, second, third].map(({ sha256 }) => store.hasProgramme(sha256))
  expect(held()).toEqual([true, false, true])
  store.promoteNewest()
  expect(held()).toEqual([false, false, true])
})
