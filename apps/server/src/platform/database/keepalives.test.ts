import { readFileSync } from 'node:fs'
import { eventually } from '@floorcast/testing/eventually.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { asSuperuser, testDatabase } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'
import { openBus } from '../bus/bus.ts'

const { database, url, superuserUrl } = await testDatabase()

const KEEPALIVE_TIMER = '02'
/** The unit of /proc/net/tcp. */
const TICKS_A_SECOND = 100

/** Seconds until Linux asks the other machine whether it is there, by the port of the connection there. */
function keepaliveSeconds(): Map<number, number> {
  const port = (address = '') => Number.parseInt(address.split(':')[1] ?? '', 16)
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1)
  return new Map(
    lines.flatMap(line => {
      const [, local, remote, , , timer = ''] = line.trim().split(/\s+/)
      const [kind, ticks = ''] = timer.split(':')
      const isOfServer = port(local) === Number(new URL(url).port)
      return isOfServer && kind === KEEPALIVE_TIMER
        ? [[port(remote), Number.parseInt(ticks, 16) / TICKS_A_SECOND] as const]
        : []
    }),
  )
}

test('PostgreSQL asks within half a minute whether the machine of a lock, a pool or a bus is still there', async () => {
  const bus = await openBus({ url, lost: () => undefined })
  atTheEnd(() => bus.close())
  const sessions = () =>
    asSuperuser(superuserUrl, async superuser => {
      const { rows } = await superuser.query<{ name: string; port: number }>(
        `select application_name as name, client_port as port from pg_stat_activity where datname = current_database()`,
      )
      const seconds = keepaliveSeconds()
      return rows.map(({ name, port }) => ({ name, askedIn: seconds.get(port) ?? Infinity }))
    })
  await database.jobs.withAdvisoryLock('of a machine that may be lost', async () => {
    await eventually(async () => {
      const found = await sessions()
      const isSoon = (sought: string) =>
        found.filter(({ name }) => name === sought).map(({ askedIn }) => askedIn <= 30)
      expect(isSoon('floorcast_jobs')).toContain(true)
      expect(isSoon('floorcast_jobs')).not.toContain(false)
      expect(isSoon('floorcast_bus')).toEqual([true])
      // A connection without these settings: two hours.
      expect(isSoon('')).toEqual([false])
    })
  })
})
