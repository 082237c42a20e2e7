import { eventually } from '@floorcast/testing/eventually.ts'
import { cloneDatabase } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'
import {
  errorsOf,
  failedCalls,
  longestPause,
  openBalancedServers,
  openChain,
  startProber,
  untilPlayed,
} from './balanced-servers.ts'

const DEVICES = 30

test.each(['haproxy', 'caddy'] as const)(
  'two servers behind %s are restarted one after the other, and no call fails and no device is silent',
  async proxy => {
    const urls = await cloneDatabase()
    const servers = await openBalancedServers(urls.url, proxy)
    const programs = [await servers.start(0), await servers.start(1)] as const
    const { client, startFleet } = await openChain(servers, urls)
    const fleet = await startFleet(DEVICES)
    const stopProber = startProber(client, DEVICES)
    for (const [index, program] of programs.entries()) {
      await untilPlayed(fleet, DEVICES)
      program.child.kill('SIGTERM')
      expect(await program.ended).toBe(0)
      await eventually(() => expect(fleet.metrics.connected).toBe(DEVICES))
      await servers.start(index)
    }
    await untilPlayed(fleet, DEVICES)
    const { sent, failures } = await stopProber()
    expect(failures).toEqual([])
    expect(sent).toBeGreaterThan(20 * 20)
    expect(failedCalls(fleet)).toEqual([])
    // Each device had a channel on one of both, which was closed.
    expect(fleet.metrics.dropped).toBeGreaterThanOrEqual(DEVICES)
    await fleet.stop()
    expect(fleet.metrics.events).toMatchObject({ duplicates: 0, refused: 0, lost: 0 })
    expect(Math.round(await longestPause(urls))).toBe(0)
    expect(programs.flatMap(errorsOf)).toEqual([])
  },
)
