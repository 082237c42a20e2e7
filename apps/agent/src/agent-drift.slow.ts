import { mpvsOf } from '@floorcast/testing/agent-process.ts'
import { deviceTest } from '@floorcast/testing/device-fixture.ts'
import { makeItem, makePlaylist, makePublication, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { makeFastMpv } from '@floorcast/testing/recorded-mpv.ts'
import { expect } from 'vitest'

deviceTest.concurrent(
  'A song on a sound card that is too fast is heard whole, and its file is not at fault',
  async ({ device }) => {
    device.publish([device.addSong(1, 12)])
    const bin = makeFastMpv(device.agent.dataDir, 1.1)
    const run = device.agent.start(device.server.url, { bin })
    await device.until(() => expect(device.played().length).toBeGreaterThan(1))
    expect(await run.kill('SIGTERM')).toBe(0)
    expect(device.played()[1]).toMatchObject({ result: 'complete', why: null })
    const faults = device.server.events.filter(event => event.kind === 'debug' && event.code === 'file-short')
    expect(faults).toEqual([])
  },
)

deviceTest.concurrent(
  'A player that comes out of its schedule cuts a song by it, and plays the ad behind it whole',
  async ({ device }) => {
    // The pause lies within the first song, however late that is joined and reported.
    const [first, second] = [device.addSong(1, 12), device.addSong(2, 6)]
    const ad = device.addSong(3, 3)
    ad.contentType = 'ads'
    device.publish([first, second, ad])
    const run = device.agent.start(device.server.url, { args: ['--heartbeat', '1'] })
    await device.until(() => expect(device.nowPlaying()).toBe('Song 1'))
    const pids = await mpvsOf(run.pid)
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    await new Promise(resolve => setTimeout(resolve, 2600))
    for (const pid of pids) process.kill(pid, 'SIGCONT')
    await device.until(() => expect(device.ofResult('cut').map(({ why }) => why)).toEqual(['schedule']))
    const cut = device.played().findIndex(({ result }) => result === 'cut')
    await device.until(() => expect(device.played().length).toBeGreaterThan(cut + 1))
    expect(device.played()[cut + 1]).toMatchObject({ contentType: 'ads', result: 'complete' })
    expect(await run.kill('SIGTERM')).toBe(0)
  },
)

deviceTest.concurrent(
  'Ads that fall into an alert are logged as not played, with the reason',
  async ({ device }) => {
    const files = [device.addSong(1, 2), device.addSong(2, 2)]
    for (const file of files) file.contentType = 'ads'
    const publications = [
      makePublication(makePlaylist(files.map((_, index) => makeItem(index))), {
        activatedAt: new Date().toISOString(),
      }),
    ]
    device.publishAll(files, publications)
    const run = device.agent.start(device.server.url, { args: ['--heartbeat', '1'] })
    await device.untilPlaying()
    const alert = {
      uid: uidOf(7),
      kind: 'air' as const,
      beganAt: new Date().toISOString(),
      isDrill: false,
      file: null,
    }
    device.publishAll(files, publications, { alerts: [alert] })
    const steps = () => device.server.events.flatMap(event => (event.kind === 'alert' ? event.step : []))
    await device.until(() => expect(steps()).toEqual(['received', 'started']))
    const heartbeats = device.server.heartbeats.length
    await device.until(() => expect(device.server.heartbeats.length).toBeGreaterThan(heartbeats + 5))
    device.publishAll(files, publications)
    await device.until(() => expect(steps()).toEqual(['received', 'started', 'ended']))
    await device.until(() => expect(device.ofResult('failed').length).toBeGreaterThan(0))
    expect(new Set(device.ofResult('failed').map(({ why }) => why))).toEqual(new Set(['alert']))
    // Each ad of the schedule is in the log once.
    const scheduled = device.played().map(({ scheduledAt }) => scheduledAt)
    expect(new Set(scheduled).size).toBe(scheduled.length)
    expect(await run.kill('SIGTERM')).toBe(0)
  },
)
