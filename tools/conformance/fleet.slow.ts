import { Fleet } from '../../apps/fleet/src/fleet.ts'
import { expect, test } from 'vitest'
import { findBroken, playerGroups } from './player-checks.ts'
import { prepareServer } from './programmes.ts'

test.concurrent.each(Object.entries(playerGroups))(
  'a simulated device holds the rules of docs/device-protocol.md for players: %s',
  async (_, checks) => {
    const server = await prepareServer({ patienceSeconds: 60, firstSecond: 48 })
    const refusals: unknown[] = []
    const fleet = new Fleet({
      server: server.url,
      licenseKeys: ['CONFORMANCE'],
      speed: 1,
      // The clock of a fleet is one for all devices, and no answer moves it.
      wall: () => server.now(),
      heartbeatSeconds: null,
      onRefused: (_number, error) => refusals.push(error),
    })
    await fleet.start()
    const broken = await findBroken(checks, { server, hasProgram: false })
    await fleet.stop()
    await server.stop()
    expect(broken).toEqual([])
    expect(refusals).toEqual([])
  },
)
