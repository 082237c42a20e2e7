import { useDeviceStage } from '@floorcast/testing/device-fixture.ts'
import { makeItem, makePlaylist, makePublication, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { gapsOf } from '@floorcast/testing/plays.ts'
import { expect, test } from 'vitest'

/** What agent.test.ts claims of some plays in a row, here of each: for a machine that does nothing else. */
const stage = useDeviceStage()

test('Every track begins where the former ends and is heard whole, but for the first that may be joined and the last that is cut', async () => {
  stage.publish([stage.addSong(1, 2), stage.addSong(2, 1.5), stage.addSong(3, 2.5)])
  const run = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.played().length).toBeGreaterThanOrEqual(12))
  await run.kill('SIGTERM')
  const [first, ...rest] = stage.played()
  const gaps = gapsOf(stage.played())
  expect(gaps).toEqual(gaps.map(() => 0))
  expect(['complete', 'joined']).toContain(first?.result)
  expect(rest.at(-1)).toMatchObject({ result: 'cut', why: 'agent-stopped' })
  for (const play of rest.slice(0, -1)) {
    expect(play.result).toBe('complete')
    expect(Math.abs(play.secondsPlayed - play.durationSeconds)).toBeLessThan(0.1)
  }
})

test('A new publication cuts nothing off, and each of its tracks is crossfaded into as it says', async () => {
  stage.publish([stage.addSong(1, 3)])
  const run = stage.agent.start(stage.server.url)
  await stage.heard()
  stage.publish([stage.addSong(2, 3), stage.addSong(3, 3)], { uid: 601, crossfadeSeconds: 1 })
  const of = (uid: number) => stage.played().filter(play => play.publicationUid === uidOf(uid))
  await stage.until(() => expect(of(601).length).toBeGreaterThanOrEqual(8))
  await run.kill('SIGTERM')
  const crossed = of(601).filter(play => play.result === 'complete')
  expect(of(600).filter(play => play.result === 'cut')).toEqual([])
  expect(crossed.length).toBeGreaterThanOrEqual(7)
  // By the schedule: what began late itself is crossed out of for longer.
  for (const gap of gapsOf(crossed)) expect(gap).toBeLessThan(-900)
  for (const { startedAt, scheduledAt } of crossed.slice(1))
    expect(Math.abs(Date.parse(startedAt) - Date.parse(scheduledAt))).toBeLessThan(100)
})

test('An alert cuts what plays and nothing else, and the present of the loop is joined when it ends', async () => {
  const files = [stage.addSong(1, 12), stage.addSong(2, 1)]
  const publication = makePublication(makePlaylist([makeItem(0)]), {
    uid: uidOf(600),
    activatedAt: new Date().toISOString(),
  })
  stage.publishAll(files, [publication])
  const run = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.played().length).toBeGreaterThanOrEqual(1))
  // Well inside the song, so that its loop is joined afterwards and not begun.
  await stage.until(() => {
    const [since = ''] = stage.agent.playingSince()
    expect(Date.now() - Date.parse(since)).toBeGreaterThan(2000)
  })
  const beganAt = new Date().toISOString()
  const alert = { uid: uidOf(9), kind: 'air', beganAt, isDrill: true, file: 1 } as const
  stage.publishAll(files, [publication], { alerts: [alert] })
  const told = () => stage.server.events.filter(event => event.kind === 'alert').map(event => event.step)
  await stage.until(() => expect(told()).toEqual(['started']))
  stage.publishAll(files, [publication])
  await stage.until(() => expect(stage.played().at(-1)?.result).toBe('joined'))
  await run.kill('SIGTERM')
  expect(
    stage
      .played()
      .map(play => `${play.result} ${play.why}`)
      .slice(1),
  ).toEqual(['cut alert', 'joined null', 'cut agent-stopped'])
  expect(told()).toEqual(['started', 'ended'])
})
