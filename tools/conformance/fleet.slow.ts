import { Fleet } from '../../apps/fleet/src/fleet.ts'
import { expect, test } from 'vitest'
import { playerGroups } from './player-checks.ts'
import { prepareServer } from './programmes.ts'
import { runChecks } from './run-checks.ts'

/** A simulated device has no program that an update could replace. */
const UNTESTED = 'Refuses an update without a valid signature before it downloads it, and reports this'

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
    const lines: string[] = []
    const tested = checks.filter(({ rule }) => rule !== UNTESTED)
    await runChecks(tested, { subject: server, untested: [], print: line => lines.push(line) })
    await fleet.stop()
    await server.stop()
    expect(lines.filter(line => line.startsWith('FAILED'))).toEqual([])
    expect(refusals).toEqual([])
  },
)
