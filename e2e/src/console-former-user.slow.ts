import { endSession } from '@floorcast/contract/auth.ts'
import { expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'

const shop = testConsole()

const traces = ['Bakery Lane 4', 'devicesOne', 'an unfinished song', 'Songs of the sea', 'a song of a player']

/** All that the browser has stored for the console, but its own files. */
const readBrowser = () =>
  shop.page.evaluate(async () => {
    const found = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })]
    for (const name of await caches.keys()) {
      if (name.startsWith('floorcast-shell ')) continue
      const cache = await caches.open(name)
      for (const request of await cache.keys()) found.push((await (await cache.match(request))?.text()) ?? '')
    }
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.addEventListener('success', () => resolve(opening.result))
        opening.addEventListener('error', () => reject(opening.error ?? new Error(name)))
      })
      for (const store of database.objectStoreNames) {
        const reading = database.transaction(store).objectStore(store).getAll()
        await new Promise(resolve => reading.addEventListener('success', resolve))
        found.push(JSON.stringify(reading.result))
      }
      database.close()
    }
    return found.join('\n')
  })
const tracesLeft = async () => {
  const found = await readBrowser()
  return traces.filter(trace => found.includes(trace))
}

/** Opens a page, plans a playlist, and leaves an upload and a player's files. */
async function leaveTraces() {
  await shop.signIn(`/equipments/devicesOne/${shop.deviceUid}`)
  await shop.heading('Bakery Lane 4')
  await shop.page.evaluate(async () => {
    const { uid } = JSON.parse(localStorage.getItem('floorcast.user') ?? '{}') as { uid: string }
    const upload = { fingerprint: 'f', userUid: uid, url: null, name: 'an unfinished song.mp3', size: 7 }
    const target = { contentType: 'melodies' }
    localStorage.setItem('floorcast.uploads', JSON.stringify([{ ...upload, target }]))
    localStorage.setItem(`floorcast.wizard.${uid}.new`, JSON.stringify({ smartPlName: 'Songs of the sea' }))
    const cache = await caches.open('floorcast-player-media')
    await cache.put('/song', new Response('a song of a player'))
  })
  expect(await tracesLeft()).toEqual(traces)
}
const menu = async (entry: string) => {
  await shop.page.getByRole('button', { name: /profile and sign-out/ }).click()
  await shop.page.getByRole('menuitem', { name: entry }).click()
}
const endElsewhere = async () => {
  const token = await shop.page.evaluate(() => localStorage.getItem('floorcast.token'))
  const headers = { authorization: `Bearer ${token}` }
  await fetch(shop.url + endSession.path, { method: 'POST', headers })
}

it.each([
  ['a logout', () => menu('Log out')],
  [
    'a locked screen and another user',
    async () => {
      await menu('Lock screen')
      await shop.heading('Screen locked')
      expect(await tracesLeft()).not.toEqual([])
      await shop.page.getByRole('button', { name: 'Sign in as someone else' }).click()
    },
  ],
  [
    'a session that ended elsewhere',
    async () => {
      await endElsewhere()
      await shop.page.getByRole('link', { name: 'Groups', exact: true }).click()
    },
  ],
  [
    'a session that ended in the middle of a form, and a reload',
    async () => {
      await shop.page.getByRole('link', { name: 'Groups', exact: true }).click()
      await shop.page.getByRole('button', { name: 'Add a group' }).click()
      await shop.page.getByLabel('Name').fill('Shops by the lake')
      await endElsewhere()
      await shop.page.getByRole('button', { name: 'Save' }).click()
      await shop.page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
      shop.page.once('dialog', asked => void asked.accept())
      await shop.page.reload()
    },
  ],
])('a former user leaves nothing in the browser after %s', async (_, end) => {
  await leaveTraces()
  await end()
  await shop.heading('Sign in to Floorcast')
  await expect.poll(tracesLeft).toEqual([])
})
