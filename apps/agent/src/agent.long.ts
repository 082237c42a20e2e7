import { deviceTest } from '@floorcast/testing/device-fixture.ts'
import { makeItem, makePlaylist, makePublication, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { gapsMsOf } from '@floorcast/testing/plays.ts'
import { expect } from 'vitest'

/* These tests check each play, where agent.test.ts checks some plays in a row. They need a machine without other load. */

deviceTest(
  'Each track starts at the previous end and is complete, except for the first, which may be joined, and the last, which is cut',
  async ({ device }) => {
    device.publish([device.addSong(1, 2), device.addSong(2, 1.5), device.addSong(3, 2.5)])
    const run = device.agent.start(device.server.url)
    await device.until(() => expect(device.played().length).toBeGreaterThanOrEqual(12))
    await run.kill('SIGTERM')
    const [first, ...rest] = device.played()
    const gaps = gapsMsOf(device.played())
    expect(gaps).toEqual(gaps.map(() => 0))
    expect(['complete', 'joined']).toContain(first?.result)
    expect(rest.at(-1)).toMatchObject({ result: 'cut', why: 'agent-stopped' })
    for (const play of rest.slice(0, -1)) {
      expect(play.result).toBe('complete')
      expect(Math.abs(play.secondsPlayed - play.durationSeconds)).toBeLessThan(0.1)
    }
  },
)

deviceTest(
  'A new publication cuts no track, and each of its tracks has its crossfade',
  async ({ device }) => {
    device.publish([device.addSong(1, 3)])
    const run = device.agent.start(device.server.url)
    await device.untilPlaying()
    device.publish([device.addSong(2, 3), device.addSong(3, 3)], { uid: 601, crossfadeSeconds: 1 })
    const of = (uid: number) => device.played().filter(play => play.publicationUid === uidOf(uid))
    await device.until(() => expect(of(601).length).toBeGreaterThanOrEqual(8))
    await run.kill('SIGTERM')
    const crossed = of(601).filter(play => play.result === 'complete')
    expect(of(600).filter(play => play.result === 'cut')).toEqual([])
    expect(crossed.length).toBeGreaterThanOrEqual(7)
    // Gaps count by the schedule: a track that began late crosses out for longer.
    for (const gap of gapsMsOf(crossed)) expect(gap).toBeLessThan(-900)
    for (const { startedAt, scheduledAt } of crossed.slice(1))
      expect(Math.abs(Date.parse(startedAt) - Date.parse(scheduledAt))).toBeLessThan(100)
  },
)

deviceTest(
  'An alert cuts only the current track, and after its end the loop is joined at its current position',
  async ({ device }) => {
    const files = [device.addSong(1, 12), device.addSong(2, 1)]
    const publication = makePublication(makePlaylist([makeItem(0)]), {
      uid: uidOf(600),
      activatedAt: new Date().toISOString(),
    })
    device.publishAll(files, [publication])
    const run = device.agent.start(device.server.url)
    await device.until(() => expect(device.played().length).toBeGreaterThanOrEqual(1))
    // Well inside the song, so that the loop is joined afterwards and does not start.
    await device.until(() => {
      const [since = ''] = device.agent.playingSince()
      expect(Date.now() - Date.parse(since)).toBeGreaterThan(2000)
    })
    const beganAt = new Date().toISOString()
    const alert = { uid: uidOf(9), kind: 'air', beganAt, isDrill: true, file: 1 } as const
    device.publishAll(files, [publication], { alerts: [alert] })
    const steps = () => device.server.events.filter(event => event.kind === 'alert').map(event => event.step)
    await device.until(() => expect(steps()).toEqual(['received', 'started']))
    device.publishAll(files, [publication])
    // The first play may be joined, too.
    await device.until(() =>
      expect(
        device
          .played()
          .slice(1)
          .map(({ result }) => result),
      ).toContain('joined'),
    )
    await run.kill('SIGTERM')
    expect(
      device
        .played()
        .map(play => `${play.result} ${play.why}`)
        .slice(1),
    ).toEqual(['cut alert', 'joined null', 'cut agent-stopped'])
    expect(steps()).toEqual(['received', 'started', 'ended'])
  },
)
