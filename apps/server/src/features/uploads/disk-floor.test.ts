import { randomUUID } from 'node:crypto'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { Problem } from '@floorcast/contract/problem.ts'
import { TusCaller } from '@floorcast/testing/media-tus.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { fillDisk } from '@floorcast/testing/full-disk.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makePlay, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newUpdateShop } from '@floorcast/testing/test-updates.ts'
import { expect, test } from 'vitest'
import { DiskFloorError, DiskSpace } from '../../platform/storage/disk-space.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerLibrary } from '../../library.ts'
import { registerUpdates } from '../updates/updates-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const features = [registerGroups, registerLibrary, registerUpdates, registerDeviceHost]

test('below the floor uploads and update files are refused with words; reports of devices are taken', async () => {
  const server = await testServer({ features })
  const { token, scope } = await server.newClient()
  const bytes = makeSong({ notes: [1, 2], seconds: 4 })
  const shop = await newUpdateShop(server)
  const packageUid = await shop.addPackage()
  const { licenseKey } = await makeDevice(scope)
  const player = await openPlayer(server, licenseKey)
  fillDisk(server)
  const answers = [
    await new TusCaller(server, token).announce(bytes.length, { filename: 'One.mp3' }),
    await uploader(server).answer(token, 'melodies', { bytes, name: 'Two.mp3' }),
    await shop.request(packageUid, { bytes: Buffer.from('a player'), name: 'player.bin' }),
  ]
  for (const answer of answers) {
    expect(answer.statusCode).toBe(503)
    expect(Problem.parse(answer.json())).toMatchObject({
      code: 'disk-full',
      detail: expect.stringMatching(/free space/i) as string,
    })
  }
  expect(uploader(server).storedFiles()).toEqual([])
  const ready = await server.http.app.inject('/health/ready')
  expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'unready', reason: 'disk-full' }])
  const body = [makePlay(1, { bootId: randomUUID() })]
  expect(await server.call(sendEvents, { ...player, body })).toMatchObject({ accepted: 1 })
})

test('a full disk of the database is no unknown fault', async () => {
  const server = await testServer({ features })
  const full = Object.assign(new Error('could not extend file'), { code: '53100' })
  server.http.app.get('/api/v2/full', () => Promise.reject(full))
  const answer = await server.http.app.inject('/api/v2/full')
  expect([answer.statusCode, Problem.parse(answer.json()).code]).toEqual([503, 'disk-full'])
  expect(answer.headers['retry-after']).toBe('60')
})

test('many uploads that write at once stop together at the floor, also between two measurements', async () => {
  let measured = 0
  const freeBytes = 1000
  const measure = () => {
    measured += 1
    return Promise.resolve({ freeBytes, totalBytes: 2000 })
  }
  const space = new DiskSpace(measure, { share: 0.5, atLeastBytes: 0, atMostBytes: 300 })
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => space.take(100)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
  expect(results.find(result => result.status === 'rejected')?.reason).toBeInstanceOf(DiskFloorError)
  expect(measured).toBe(1)
  expect(await space.isFull()).toBe(false)
})

test('the floor is a share of the disk between two sizes', async () => {
  const measure = () => Promise.resolve({ freeBytes: 100, totalBytes: 1000 })
  const isFull = (share: number, atLeastBytes: number, atMostBytes: number) =>
    new DiskSpace(measure, { share, atLeastBytes, atMostBytes }).isFull()
  expect(await isFull(0.05, 0, 2000)).toBe(false)
  expect(await isFull(0.05, 101, 2000)).toBe(true)
  expect(await isFull(0.5, 0, 2000)).toBe(true)
  expect(await isFull(0.5, 0, 99)).toBe(false)
})

test('a disk that was full is so until a tenth of the floor more is free, or half of what is above it', async () => {
  const isFull = (share: number, freeBytes: number, wasFull?: boolean) => {
    const measure = () => Promise.resolve({ freeBytes, totalBytes: 1000 })
    return new DiskSpace(measure, { share, atLeastBytes: 0, atMostBytes: 2000 }).isFull(wasFull)
  }
  expect([await isFull(0.5, 499), await isFull(0.5, 500)]).toEqual([true, false])
  expect([await isFull(0.5, 549, true), await isFull(0.5, 550, true)]).toEqual([true, false])
  expect([await isFull(0.95, 974, true), await isFull(0.95, 975, true)]).toEqual([true, false])
})
