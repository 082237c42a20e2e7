import { beginAlert } from '@floorcast/contract/alerts.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { CELL } from '@floorcast/testing/reverse-proxy.ts'
import { makeBucket, settingsOf, startS3rver } from '@floorcast/testing/s3-stores.ts'
import { cloneDatabase } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'
import {
  errorsOf,
  failedCalls,
  longestPause,
  openCell,
  openChain,
  startProber,
  untilPlayed,
} from './balanced-servers.ts'

const DEVICES = 30

test.each(['haproxy', 'nginx'] as const)(
  'behind %s two servers for consoles and two for devices share a database and a bucket, and each is restarted without a failed call',
  async proxy => {
    const urls = await cloneDatabase()
    const store = await startS3rver()
    const cell = await openCell(proxy, urls.url, settingsOf(store, await makeBucket(store, 'cell')))
    // The first one marks the bucket: s3rver drops a connection where several do at once.
    const first = await cell.start(0)
    const others = CELL.map((_, number) => number).slice(1)
    const programs = [first, ...(await Promise.all(others.map(number => cell.start(number))))]
    const { client, startFleet } = await openChain(cell, urls)
    const fleet = await startFleet(DEVICES)
    const channelsOf = (number: number) =>
      programs[number]?.said.filter(line => line.includes('"path":"/api/v2/device/session')).length ?? 0
    // Devices went to the servers for them, to both, and to no other.
    expect([0, 1].map(channelsOf)).toEqual([0, 0])
    expect([2, 3].map(number => channelsOf(number) > 0)).toEqual([true, true])

    const stopProber = startProber(client, DEVICES)
    for (const [number, program] of programs.entries()) {
      await untilPlayed(fleet, DEVICES)
      program.child.kill('SIGTERM')
      expect(await program.ended).toBe(0)
      await eventually(() => expect(fleet.metrics.connected).toBe(DEVICES))
      await cell.start(number)
    }
    await client.call(beginAlert, { params: { uid: 'all', alerttype: 'air' }, query: {} })
    await eventually(() => expect(fleet.metrics.alerts.count).toBe(DEVICES))
    const { sent, failures } = await stopProber()
    expect(failures).toEqual([])
    expect(sent).toBeGreaterThan(100)
    await fleet.stop()
    expect(failedCalls(fleet)).toEqual([])
    expect(fleet.metrics.events).toMatchObject({ duplicates: 0, refused: 0, lost: 0 })
    expect(Math.round(await longestPause(urls))).toBe(0)
    expect(programs.flatMap(errorsOf)).toEqual([])
  },
)
