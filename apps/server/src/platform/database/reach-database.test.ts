import { asSuperuser, cloneDatabase } from '@floorcast/testing/test-database.ts'
import { describe, expect, it, vi } from 'vitest'
import { openFirewall } from '@floorcast/testing/firewall.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { makeLog } from '../log/log.ts'
import { reachDatabase, requireClock } from './reach-database.ts'

const { url, superuserUrl } = await cloneDatabase()
const log = makeLog('silent')
const reach = (address: string, maxWaitMs = 0) =>
  reachDatabase(address, { maySuperuser: false, log, maxWaitMs })
const changed = (part: Partial<URL>) => Object.assign(new URL(url), part).href

describe('the database of DATABASE_URL', () => {
  it.each([
    [
      'does not answer',
      { port: '1' },
      /^DATABASE_URL \(floorcast@127\.0\.0\.1:1\/test_\w+\): .*ECONNREFUSED/,
    ],
    [
      'is on no machine',
      { hostname: 'nohost.invalid' },
      /^DATABASE_URL \(.*\): (there is no machine of this name|.*EAI_AGAIN)/,
    ],
    [
      'does not exist',
      { pathname: '/nothing' },
      /^DATABASE_URL \(.*\/nothing\): there is no such database: create it/,
    ],
    [
      'refuses the password',
      { password: 'hunter2' },
      /^DATABASE_URL \(.*\): the user or the password is wrong/,
    ],
  ])('is named, without its password, when it %s', async (_, part, message) => {
    const error: unknown = await reach(changed(part)).catch((thrown: unknown) => thrown)
    expect(String((error as Error).message)).toMatch(message)
    expect(String((error as Error).message)).not.toContain(new URL(changed(part)).password || 'no password')
  })

  it('is waited for while it starts, also behind a proxy that knows no primary', async () => {
    const port = await freePort()
    const waiting = reach(changed({ port: String(port) }), 30_000)
    // PostgreSQL begins to listen after the first refusal.
    await expect(reach(changed({ port: String(port) }))).rejects.toThrow('ECONNREFUSED')
    const proxy = await openFirewall(url, { port, isShut: true })
    await vi.waitFor(() => expect(proxy.refused).toBeGreaterThan(0), 20_000)
    proxy.isShut = false
    await waiting
  })

  it('is refused to a superuser, unless that is allowed', async () => {
    await expect(reach(superuserUrl)).rejects.toThrow(/names a superuser.*ALLOW_SUPERUSER=yes/)
    await reachDatabase(superuserUrl, { maySuperuser: true, log })
    await reach(url)
  })
})

describe('the clock of the machine', () => {
  it('may not be before the newest moment that a server has written', async () => {
    const now = new Date('2026-11-30T10:00:00Z')
    await requireClock(url, now)
    const sample = (at: string) =>
      asSuperuser(superuserUrl, superuser =>
        superuser.query("insert into server_samples values ('server', $1, 1, 1, 1, 1, 1)", [at]),
      )
    await sample('2026-11-30T10:04:00Z')
    await requireClock(url, now)
    await sample('2026-11-30T12:00:00Z')
    await expect(requireClock(url, now)).rejects.toThrow(
      /shows 2026-11-30T10:00:00\.000Z, 120 minutes before .*2026-11-30T12:00/,
    )
  })
})
