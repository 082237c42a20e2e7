import { readFileSync } from 'node:fs'
import { makeTicket } from '@floorcast/contract/auth.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import { readDeviceMedia, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { FILES_HEADER } from '@floorcast/contract/files-header.ts'
import { addToGroup } from '@floorcast/contract/groups.ts'
import { readMedia, readMediaFile, readMediaPreview } from '@floorcast/contract/media.ts'
import { addTrack } from '@floorcast/contract/playlists.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { imageFixtures } from '@floorcast/testing/media-fixtures.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { makeBucket, settingsOf, startS3rver } from '@floorcast/testing/s3-stores.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { expect, test } from 'vitest'
import { readSettings } from './platform/settings/settings.ts'

const s3 = await startS3rver()
const bucket = await makeBucket(s3, 'floor-files')
// Others reach the store by another name.
const named = s3.endpoint.replace('127.0.0.1', 'localhost')
const server = await wholeServer({
  ...settingsOf(s3, bucket),
  PUBLIC_URL: 'http://shop.example',
  S3_REDIRECT: 'yes',
  S3_PUBLIC_ENDPOINT: named,
})
const { upload } = uploader(server)
const song = makeSong({ notes: [1, 3], seconds: 3 })
const preview = imageFixtures[0].path
const { token, scope } = await server.newClient()
const { uid = '' } = await upload(token, 'melodies', { bytes: song, name: 'Ünder glass.mp3', preview })
const { hash } = await server.call(readMedia, { token, params: { contentType: 'melodies', uid } })

/** What browsers say of an `<img>`, `<audio>` or `<video>`. */
const ELEMENT = { 'sec-fetch-mode': 'no-cors' }

interface Asked {
  url: string
  method?: 'GET' | 'HEAD'
  headers?: Record<string, string>
}
const ask = ({ url, method = 'GET', headers = {} }: Asked) => server.http.app.inject({ url, method, headers })

/** The address of an element of a page. */
async function addressOf(endpoint: typeof readMediaFile, of = { token, uid }): Promise<string> {
  const path = buildPath(endpoint.path, { uid: of.uid })
  const { ticket } = await server.call(makeTicket, { token: of.token, body: { path } })
  return `${path}?ticket=${encodeURIComponent(ticket)}`
}

const isSong = (bytes: ArrayBuffer, from = 0, to = song.length) =>
  Buffer.from(bytes).equals(Buffer.from(song.subarray(from, to)))

test('an element of a page is redirected to a signed address, which has the bytes, their type, their name and ranges', async () => {
  const answer = await ask({ url: await addressOf(readMediaFile), headers: ELEMENT })
  expect([answer.statusCode, answer.headers['cache-control'], answer.rawPayload.length]).toEqual([
    302,
    'no-store',
    0,
  ])
  const { location = '' } = answer.headers
  expect(new URL(location).origin).toBe(named)
  const whole = await fetch(location)
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
  expect(whole.headers.get('content-disposition')).toContain("filename*=UTF-8''%C3%9Cnder%20glass.mp3")
  expect(whole.headers.get('cache-control')).toContain('private')
  expect(isSong(await whole.arrayBuffer())).toBe(true)
  const part = await fetch(location, { headers: { range: 'bytes=100-199' } })
  expect([part.status, isSong(await part.arrayBuffer(), 100, 200)]).toEqual([206, true])
  const picture = await ask({ url: await addressOf(readMediaPreview), headers: ELEMENT })
  const shown = await fetch(picture.headers.location ?? '')
  expect(shown.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await shown.arrayBuffer()).equals(readFileSync(preview))).toBe(true)
})

test('a signed address is for one file and ten minutes, and names neither token nor ticket', async () => {
  const { location = '' } = (await ask({ url: await addressOf(readMediaFile), headers: ELEMENT })).headers
  const url = new URL(location)
  expect(url.pathname).toBe(`/${bucket}/${scope.clientId}/${hash.slice(0, 2)}/${hash}`)
  expect(url.searchParams.get('X-Amz-Expires')).toBe('600')
  expect(location).not.toContain('ticket')
  // That a store refuses what is not signed is seen in platform/storage/swift-store.slow.ts: s3rver reads the time alone.
  url.searchParams.set('X-Amz-Date', '20261101T000000Z')
  expect((await fetch(url)).status).toBe(403)
})

test('who sends a token, or reads by a ticket, gets the bytes of the server, unless the caller takes an address', async () => {
  const url = buildPath(readMediaFile.path, { uid })
  const authorization = `Bearer ${token}`
  const plain = await ask({ url, headers: { authorization } })
  expect([plain.statusCode, plain.headers.location]).toEqual([200, undefined])
  expect(plain.rawPayload.equals(Buffer.from(song))).toBe(true)
  const named = await ask({ url, headers: { authorization, [FILES_HEADER]: 'address' } })
  expect(named.statusCode).toBe(204)
  expect(isSong(await (await fetch(named.headers.location ?? '')).arrayBuffer())).toBe(true)
  // A page that reads what it loads, and a program with a ticket.
  for (const headers of [{ 'sec-fetch-mode': 'cors' }, {}]) {
    const bytes = await ask({ url: await addressOf(readMediaFile), headers })
    expect([bytes.statusCode, bytes.rawPayload.equals(Buffer.from(song))]).toEqual([200, true])
  }
})

test('with redirects HEAD, If-None-Match, a range behind the end and a missing file are answered as without, and a store that is away too', async () => {
  const url = await addressOf(readMediaFile)
  const head = await ask({ url, method: 'HEAD' })
  expect([head.statusCode, head.headers['content-length'], head.headers.etag]).toEqual([
    200,
    String(song.length),
    `"${hash}"`,
  ])
  expect((await ask({ url, headers: { ...ELEMENT, 'if-none-match': `"${hash}"` } })).statusCode).toBe(304)
  const behind = { ...ELEMENT, range: `bytes=${song.length}-` }
  expect((await ask({ url, headers: behind })).statusCode).toBe(416)
  const other = await server.newClient()
  const lost = await upload(other.token, 'melodies', {
    bytes: makeSong({ notes: [5], seconds: 2 }),
    name: 'Lost.mp3',
  })
  const of = { token: other.token, uid: lost.uid ?? '' }
  const lostUrl = await addressOf(readMediaFile, of)
  const { hash: lostHash } = await server.call(readMedia, {
    token: of.token,
    params: { contentType: 'melodies', uid: of.uid },
  })
  await server.context.files.delete({ clientUid: other.scope.clientId, sha256: lostHash })
  const missing = await ask({ url: lostUrl, headers: ELEMENT })
  expect([missing.statusCode, missing.json<{ code: string }>().code]).toEqual([404, 'file-missing'])
  await s3.stop()
  const away = await ask({ url, headers: ELEMENT })
  expect([away.statusCode, away.json<{ code: string }>().code]).toEqual([503, 'files-away'])
  await s3.start()
  expect((await ask({ url, headers: ELEMENT })).statusCode).toBe(302)
})

test('a device learns the store from the answer to its heartbeat, and is redirected only if it asks for it', async () => {
  const shop = await newShop(server)
  const track = await upload(shop.token, 'melodies', { bytes: song, name: 'Played.mp3' })
  const trackUid = track.uid ?? ''
  const [group, playlist] = [await shop.group(), await shop.emptyPlaylist()]
  await server.call(addTrack, { token: shop.token, params: { track: trackUid, playlist } })
  await shop.turnGroup(group)
  await shop.turnPlaylist(playlist)
  await shop.turn((await shop.publish(group, playlist)).uid ?? '')
  const device = await makeDevice(shop.scope)
  await server.call(addToGroup, { token: shop.token, params: { device: device.uid, group } })
  const player = await openPlayer(server, device.licenseKey)
  const { fileStore } = await server.call(sendHeartbeat, { token: player.token, body: makeHeartbeat() })
  expect(fileStore).toBe(named)
  const url = buildPath(readDeviceMedia.path, { uid: trackUid, sha256: hash })
  const authorization = `Bearer ${player.token}`
  // A device of a former release.
  const former = await ask({ url, headers: { authorization, range: 'bytes=100-' } })
  expect([former.statusCode, former.rawPayload.length]).toEqual([206, song.length - 100])
  const newer = await ask({
    url,
    headers: { authorization, range: 'bytes=100-', [FILES_HEADER]: 'redirect' },
  })
  expect(newer.statusCode).toBe(302)
  const rest = await fetch(newer.headers.location ?? '', { headers: { range: 'bytes=100-' } })
  expect(isSong(await rest.arrayBuffer(), 100)).toBe(true)
  const wrong = { ...player, url: buildPath(readDeviceMedia.path, { uid, sha256: hash }) }
  const foreign = await ask({ url: wrong.url, headers: { authorization, [FILES_HEADER]: 'redirect' } })
  expect(foreign.statusCode).toBe(404)
})

test('pages may load pictures, media and bytes from the store that files are redirected to, and nothing else', async () => {
  const { headers } = await ask({ url: '/config.json' })
  const rules = String(headers['content-security-policy']).split(';')
  const naming = rules.filter(rule => rule.includes(` ${named}`)).map(rule => rule.trim().split(' ')[0])
  expect(naming).toEqual(['img-src', 'media-src', 'connect-src'])
})

test('redirects want https where users have it, and a bucket', () => {
  const secure = { ...settingsOf(s3, bucket), PUBLIC_URL: 'https://shop.example', S3_REDIRECT: 'yes' }
  expect(() => readSettings(secure)).toThrow('S3_ENDPOINT: must be https with S3_REDIRECT=yes')
  const other = { ...secure, S3_PUBLIC_ENDPOINT: 'https://files.example/' }
  expect(readSettings(other).s3?.redirectTo?.endpoint).toBe('https://files.example')
  expect(() => readSettings({ ...other, S3_PUBLIC_ENDPOINT: 'http://files.example' })).toThrow(
    'S3_PUBLIC_ENDPOINT: must be https',
  )
  expect(() => readSettings({ S3_REDIRECT: 'yes' })).toThrow('S3_BUCKET: is needed with S3_REDIRECT')
  expect(readSettings({ S3_BUCKET: 'files', S3_REDIRECT: 'yes' }).s3?.redirectTo?.endpoint).toBeNull()
})
