import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { addToGroup } from '@floorcast/contract/groups.ts'
import { readMedia } from '@floorcast/contract/media.ts'
import { addTrack } from '@floorcast/contract/playlists.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { mp3Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { expect, onTestFinished, test } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerLibrary } from '../../library.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const port = await freePort()
const server = await testServer({
  features: [registerGroups, registerLibrary, registerPlaylists, registerPublications, registerDeviceHost],
  environment: { STREAM_URL: `http://127.0.0.1:${port}` },
})
const origin = await server.http.app.listen({ port, host: '127.0.0.1' })
const program = join(import.meta.dirname, '../../../../../tools/conformance.ts')

/** The licence key of a device to which a file is published. */
async function publishedKey(): Promise<string> {
  const shop = await newShop(server)
  const { token } = shop
  const { uid = '' } = await uploader(server).upload(token, 'melodies', { path: mp3Fixtures.cbrStereo.path })
  // Measured loudness changes the programme, and with it the manifest.
  await eventually(async () => {
    const { loudnessState } = await server.call(readMedia, {
      token,
      params: { contentType: 'melodies', uid },
    })
    expect(loudnessState).not.toBe('pending')
  })
  const [group, playlist] = [await shop.group(), await shop.emptyPlaylist()]
  await server.call(addTrack, { token, params: { track: uid, playlist } })
  await shop.turnGroup(group)
  await shop.turnPlaylist(playlist)
  await shop.turn((await shop.publish(group, playlist)).uid ?? '')
  const device = await makeDevice(shop.scope)
  await server.call(addToGroup, { token, params: { device: device.uid, group } })
  return device.licenseKey
}

async function conformance(...args: string[]) {
  const run = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>(resolve => run.once('exit', resolve))
  const [output, errors, code] = await Promise.all([text(run.stdout), text(run.stderr), ended])
  return { code, errors, lines: output.trim().split('\n') }
}

/** A server before this one that changes the bytes of answers to paths, and has no channel. */
async function startLiar(change: (path: string, bytes: Buffer) => Buffer): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const { host: _, ...headers } = request.headers as Record<string, string>
    const call = { method: request.method ?? 'GET', headers, ...(body && { body }) }
    const answered = await fetch(origin + request.url, call)
    const bytes = change(request.url ?? '', Buffer.from(await answered.arrayBuffer()))
    const { 'content-length': __, 'content-encoding': ___, ...kept } = Object.fromEntries(answered.headers)
    response.writeHead(answered.status, kept).end(bytes)
  }
  const liar = createServer((request, response) => void answer(request, response))
  liar.on('upgrade', (_, socket) => socket.destroy())
  liar.listen(0, '127.0.0.1')
  await once(liar, 'listening')
  onTestFinished(() => void liar.close())
  return `http://127.0.0.1:${(liar.address() as AddressInfo).port}`
}

test('the server holds every rule of docs/device-protocol.md', async () => {
  const { code, lines, errors } = await conformance('--server', origin, '--key', await publishedKey())
  const [count, ...untested] = lines.filter(line => !line.startsWith('passed'))
  expect(count).toBe('18 of 18 tested rules hold')
  // What nobody tests is said, and nothing else.
  expect(untested.filter(line => !line.startsWith('not tested: '))).toEqual([])
  expect(untested.length).toBeGreaterThan(5)
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
})

test('a server that answers wrongly fails the rule, and the others go on', async () => {
  const liar = await startLiar((path, bytes) => {
    if (path.includes('/media/')) return Buffer.from(bytes.toReversed())
    return Buffer.from(bytes.toString().replace('"duplicates":1', '"duplicates":0'))
  })
  const { code, lines } = await conformance('--server', liar, '--key', await publishedKey())
  const failed = lines.filter(line => line.startsWith('FAILED')).join('\n')
  expect(failed).toContain(
    'A file has the bytes of its hash, whole and by Range: other bytes than its hash says',
  )
  expect(failed).toContain('[1,0,2] instead of [1,1,2]')
  expect(failed).toContain(
    'The channel answers heartbeats, and ignores what it does not know: the channel does not open',
  )
  expect(lines.filter(line => line.startsWith('passed')).length).toBeGreaterThan(6)
  expect(code).toBe(1)
})

test('without a server and a key it says what it needs', async () => {
  const { code, errors } = await conformance('--server', origin)
  expect(code).toBe(2)
  expect(errors).toContain('--key')
})
