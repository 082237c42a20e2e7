import { readFileSync } from 'node:fs'
import { defaultSettings } from '@floorcast/contract/manifest.ts'
import { type DeviceFixture, deviceTest } from '@floorcast/testing/device-fixture.ts'
import { makeItem, makePlaylist, makePublication, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { expect } from 'vitest'

type Command = 'restart' | 'screenshot' | 'send-log' | 'identify'

function sendCommand(device: DeviceFixture, number: number, command: Command): void {
  device.server.send({ type: 'command', id: uidOf(number), command })
}
const ackOf = (device: DeviceFixture, number: number) =>
  device.server.acks.find(({ id }) => id === uidOf(number))
const untilAck = async (device: DeviceFixture, number: number) => {
  await device.until(() => expect(ackOf(device, number)).toBeDefined())
  return ackOf(device, number)
}
/** The width and height of a JPEG. */
function sizeOf(bytes: Buffer): [number, number] {
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2))
    if ([0xc0, 0xc1, 0xc2].includes(bytes[at + 1] ?? 0))
      return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
  throw new Error('no JPEG')
}

deviceTest.concurrent(
  'A volume holds from the command on, also after a restart, until a later manifest',
  async ({ device }) => {
    const song = device.addSong(1, 2)
    device.publish([song])
    const first = device.agent.start(device.server.url, { args: ['--heartbeat', '1'] })
    await device.untilPlaying()
    device.server.send({ type: 'command', id: uidOf(1), command: 'volume', value: 30 })
    expect(await untilAck(device, 1)).toMatchObject({ ok: true })
    await device.until(() => expect(device.server.heartbeats.at(-1)?.volume).toBe(30))
    sendCommand(device, 2, 'restart')
    expect(await first.ended).toBe(75)
    expect(ackOf(device, 2)).toMatchObject({ ok: true })
    device.agent.start(device.server.url, { args: ['--heartbeat', '1'] })
    const known = device.server.heartbeats.length
    await device.until(() => expect(device.server.heartbeats.length).toBeGreaterThan(known + 1))
    expect(device.server.heartbeats.at(-1)?.volume).toBe(30)
    // Its acknowledgement was lost: the command comes again, and is not followed twice.
    device.server.acks.length = 0
    sendCommand(device, 2, 'restart')
    expect(await untilAck(device, 2)).toMatchObject({ ok: true })
    device.publish([song])
    await device.until(() => expect(device.server.heartbeats.at(-1)?.volume).toBe(70))
    const starts = new Set(device.server.heartbeats.map(({ bootId }) => bootId))
    expect(starts.size).toBe(2)
  },
)

deviceTest.concurrent(
  'A video device sends what it shows, rotated as its profile says; in silence there is no picture',
  async ({ device }) => {
    const run = device.agent.start(device.server.url)
    await device.until(() => expect(device.server.channels).toBe(1))
    sendCommand(device, 1, 'screenshot')
    expect(await untilAck(device, 1)).toMatchObject({ ok: false, why: 'no-picture' })
    const { name, path, durationSeconds } = mp4Fixtures.faststart
    const film = device.addFile(1, readFileSync(path), { name, contentType: 'videos', durationSeconds })
    const publications = [
      makePublication(makePlaylist([makeItem(0)]), { activatedAt: new Date().toISOString() }),
    ]
    const takePicture = async (from: number, rotation: 0 | 90) => {
      let number = from
      device.publishAll([film], publications, { settings: { ...defaultSettings, rotation } })
      await device.untilPlaying()
      let size: [number, number] = [0, 0]
      await device.until(async () => {
        number += 1
        sendCommand(device, number, 'screenshot')
        await untilAck(device, number)
        size = sizeOf(device.server.commandFiles.get(uidOf(number))?.content ?? Buffer.alloc(0))
        expect(size[0] > size[1]).toBe(rotation === 0)
      })
      return size
    }
    const [width, height] = await takePicture(10, 0)
    expect(await takePicture(100, 90)).toEqual([height, width])
    await run.kill('SIGTERM')
  },
)

deviceTest.concurrent(
  'The log that it sends has its events and no secrets, and details if the profile wants them',
  async ({ device }) => {
    const song = device.addSong(1, 1)
    const publications = [
      makePublication(makePlaylist([makeItem(0)]), { activatedAt: new Date().toISOString() }),
    ]
    device.publishAll([song], publications, { settings: { ...defaultSettings, debugLog: true } })
    const run = device.agent.start(device.server.url, { key: 'SECRET-KEY' })
    await device.until(() => expect(device.played().length).toBeGreaterThan(0))
    sendCommand(device, 1, 'send-log')
    expect(await untilAck(device, 1)).toMatchObject({ ok: true })
    const { contentType, content } = device.server.commandFiles.get(uidOf(1)) ?? {}
    expect(contentType).toBe('text/plain')
    const text = String(content)
    expect(text).toMatch(/^floorcast-agent \d/)
    expect(text).toContain('"kind":"playtrack"')
    expect(text).not.toContain('SECRET-KEY')
    expect(text).not.toContain(device.server.token)
    const codes = () => device.server.events.flatMap(event => (event.kind === 'debug' ? event.code : []))
    await device.until(() => expect(codes()).toContain('command-followed'))
    expect(codes()).toContain('download-done')
    await run.kill('SIGTERM')
  },
)

deviceTest.concurrent(
  'It identifies itself by a sound while it plays on, not during an alert, and says what it does not know',
  async ({ device }) => {
    const [song, horn] = [device.addSong(1, 1), device.addSong(2, 1)]
    const publications = [
      makePublication(makePlaylist([makeItem(0)]), { activatedAt: new Date().toISOString() }),
    ]
    device.publishAll([song, horn], publications)
    const run = device.agent.start(device.server.url)
    await device.untilPlaying()
    sendCommand(device, 1, 'identify')
    expect(await untilAck(device, 1)).toMatchObject({ ok: true })
    await device.until(() => expect(device.ofResult('complete').length).toBeGreaterThan(3))
    expect(device.ofResult('cut')).toEqual([])
    device.server.sendText(JSON.stringify({ type: 'command', id: uidOf(2), command: 'dance' }))
    expect(await untilAck(device, 2)).toMatchObject({ ok: false, why: 'unknown-command' })
    const alert = {
      uid: uidOf(7),
      kind: 'air' as const,
      beganAt: new Date().toISOString(),
      isDrill: false,
      file: 1,
    }
    device.publishAll([song, horn], publications, { alerts: [alert] })
    await device.until(() => expect(device.server.events.some(event => event.kind === 'alert')).toBe(true))
    sendCommand(device, 3, 'identify')
    expect(await untilAck(device, 3)).toMatchObject({ ok: false, why: 'alert' })
    await run.kill('SIGTERM')
  },
)
