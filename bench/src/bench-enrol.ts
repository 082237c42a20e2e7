import { addDevice, listDevices } from '@floorcast/contract/devices.ts'
import { addGroup, addToGroup } from '@floorcast/contract/groups.ts'
import { type Bench, numberOption } from './bench-types.ts'
import { startProber } from './console-prober.ts'
import { type FleetFixture, openFleetFixture } from './fleet-fixture.ts'

const DEVICES = 10_000

const uidOf = ({ code, uid }: { code: string | number; uid?: string | undefined }) => {
  if (Number(code) !== 200 || uid === undefined) throw new Error(`A call ended in ${code}`)
  return uid
}

/** Adds devices to a group, each by a call of its own. */
async function enrol({ call }: FleetFixture, groupUid: string, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const body = { name: `Shop ${number} radio`, storeNumber: String(number) }
    const device = uidOf(await call(addDevice, { params: { contentType: 'audio' }, body }))
    await call(addToGroup, { params: { device, group: groupUid } })
  }
}

async function measure(fixture: FleetFixture, count: number): Promise<Record<string, number>> {
  const body = { name: 'All shops' }
  const groupUid = uidOf(await fixture.call(addGroup, { params: { contentType: 'audio' }, body }))
  const prober = startProber(fixture.origin, fixture.token, [
    listDevices.path,
    `${listDevices.path}?search=shop%20004`,
  ])
  await fixture.takeLoopDelay()
  const end = fixture.measureProcessors()
  await enrol(fixture, groupUid, count)
  const times = end()
  const { p99 } = await fixture.takeLoopDelay()
  const { p95, max } = prober.take()
  prober.stop()
  const { rows } = await fixture.superuser.query<{ count: string }>(
    'select count(*) from devices where group_uid = $1',
    [groupUid],
  )
  if (Number(rows[0]?.count) !== count)
    throw new Error(`${rows[0]?.count} of ${count} devices are in the group`)
  return {
    seconds: times.passed,
    serverSeconds: times.server,
    postgresSeconds: times.postgres,
    consoleP95: p95,
    consoleMax: max,
    loopP99: p99,
  }
}

async function run(args: readonly string[]): Promise<Record<string, number>> {
  const fixture = await openFleetFixture(args)
  try {
    return await measure(fixture, numberOption(args, '--devices', DEVICES))
  } finally {
    await fixture.close()
  }
}

const bench: Bench = {
  name: 'enrol',
  what: 'Devices added and put in a group, each by a call of its own. --devices N (10,000), --profile',
  options: ['--profile'],
  numbers: ['--devices'],
  figures: {
    seconds: { what: 'until all are in the group', unit: 's' },
    serverSeconds: { what: 'processor time of the server', unit: 's' },
    postgresSeconds: { what: 'processor time of PostgreSQL', unit: 's' },
    consoleP95: { what: 'console calls meanwhile, p95', unit: 'ms', atMost: 200 },
    consoleMax: { what: 'console calls meanwhile, worst', unit: 'ms' },
    loopP99: { what: 'event loop of the server, p99', unit: 'ms', atMost: 50 },
  },
  run,
}
export default bench
