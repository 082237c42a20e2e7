import { randomUUID } from 'node:crypto'
import { importDevices } from '@floorcast/contract/device-import.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { addGroup } from '@floorcast/contract/groups.ts'
import { type Bench, numberOption } from './bench-types.ts'
import { startProber } from './console-prober.ts'
import { type FleetFixture, openFleetFixture } from './fleet-fixture.ts'

const DEVICES = 10_000

const ROWS_A_CALL = 1000

/** Adds devices to the group by calls of a thousand. @returns the seconds of the longest call */
async function enrol({ call }: FleetFixture, groupUid: string, count: number): Promise<number> {
  const importUid = randomUUID()
  let longest = 0
  for (let done = 0; done < count; done += ROWS_A_CALL) {
    const startedAt = performance.now()
    const rows = Array.from({ length: Math.min(ROWS_A_CALL, count - done) }, (_, index) => {
      const line = done + index + 1
      return { line, name: `Shop ${line} radio`, storeNumber: String(line), groupUid }
    })
    const body = { importUid, existing: 'refuse' as const, rows }
    const { code } = await call(importDevices, { params: { contentType: 'audio' }, body })
    if (code !== 200) throw new Error(`An import ended in ${code}`)
    longest = Math.max(longest, (performance.now() - startedAt) / 1000)
  }
  return longest
}

async function measure(fixture: FleetFixture, count: number): Promise<Record<string, number>> {
  const params = { contentType: 'audio' } as const
  const { uid: groupUid = '' } = await fixture.call(addGroup, { params, body: { name: 'All shops' } })
  const prober = startProber(fixture.origin, fixture.token, [
    listDevices.path,
    `${listDevices.path}?search=shop%20004`,
  ])
  await fixture.takeLoopDelay()
  const end = fixture.measureProcessors()
  const longestCall = await enrol(fixture, groupUid, count)
  const times = end()
  const { p99 } = await fixture.takeLoopDelay()
  const { p95, max, failed } = prober.take()
  prober.stop()
  const { rows } = await fixture.superuser.query<{ count: string }>(
    'select count(*) from devices where group_uid = $1',
    [groupUid],
  )
  if (Number(rows[0]?.count) !== count)
    throw new Error(`${rows[0]?.count} of ${count} devices are in the group`)
  return {
    seconds: times.passed,
    longestCall,
    serverSeconds: times.server,
    postgresSeconds: times.postgres,
    consoleP95: p95,
    consoleMax: max,
    consoleFailed: failed,
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
  what: 'Devices added and put in a group, by calls of a thousand. --devices N (10,000), --profile',
  options: ['--profile'],
  numbers: ['--devices'],
  figures: {
    seconds: { what: 'until all are in the group', unit: 's' },
    longestCall: { what: 'longest call of a thousand', unit: 's' },
    serverSeconds: { what: 'processor time of the server', unit: 's' },
    postgresSeconds: { what: 'processor time of PostgreSQL', unit: 's' },
    consoleP95: { what: 'console calls meanwhile, p95', unit: 'ms', atMost: 200 },
    consoleMax: { what: 'console calls meanwhile, worst', unit: 'ms' },
    consoleFailed: { what: 'console calls meanwhile, refused or failed', unit: '', atMost: 0 },
    loopP99: { what: 'event loop of the server, p99', unit: 'ms', atMost: 50 },
  },
  run,
}
export default bench
