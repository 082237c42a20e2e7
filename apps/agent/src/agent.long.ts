import { useDeviceStage } from '@floorcast/testkit/device-stage.ts'
import { uidOf } from '@floorcast/testkit/manifest-arbitrary.ts'
import { gapsOf } from '@floorcast/testkit/plays.ts'
import { expect, test } from 'vitest'

const stage = useDeviceStage()

test('Every track begins where the former ends and is heard whole, but for the first that may be joined and the last that is cut', async () => {
  stage.publish([stage.addSong(1, 2), stage.addSong(2, 1.5), stage.addSong(3, 2.5)])
  const run = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.played().length).toBeGreaterThanOrEqual(12))
  await run.kill('SIGTERM')
  const [first, ...rest] = stage.played()
  const gaps = gapsOf(stage.played())
  console.log(
    'lengths heard',
    stage
      .played()
      .map(p => `${p.result} ${p.secondsPlayed} of ${p.durationSeconds}`)
      .join(', '),
    gaps.join(','),
  )
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
  console.log(
    stage.played().map(p => `${p.publicationUid} ${p.result} ${p.why}`),
    gapsOf(crossed).join(','),
  )
  expect(of(600).filter(play => play.result === 'cut')).toEqual([])
  expect(crossed.length).toBeGreaterThanOrEqual(7)
  // By the schedule: what began late itself is crossed out of for longer.
  for (const gap of gapsOf(crossed)) expect(gap).toBeLessThan(-900)
  for (const { startedAt, scheduledAt } of crossed.slice(1))
    expect(Math.abs(Date.parse(startedAt) - Date.parse(scheduledAt))).toBeLessThan(100)
})
