import { makeClient } from '@floorcast/testing/factories.ts'
import { openFirewall } from '@floorcast/testing/firewall.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { Client } from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { notify } from '../database/notify.ts'
import { type Bus, type BusOptions, openBus } from './bus.ts'

const { database, url, superuserUrl } = await testDatabase()
const open: Bus[] = []
const until = (claim: () => void) => vi.waitFor(claim, 30_000)

async function openListening(options: Partial<BusOptions> = {}) {
  const lost = vi.fn<(error: Error) => void>()
  const bus = await openBus({ url, lost, ...options })
  open.push(bus)
  const listener = { heard: vi.fn<(words: string[]) => void>(), missed: vi.fn<() => void>() }
  const stop = bus.listen('manifest', listener)
  return { bus, listener, stop, lost }
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(bus => bus.close()))
})

test('every server hears what a committed transaction says, and nothing of one that failed', async () => {
  const { scope } = await makeClient(database)
  const [one, other] = [await openListening(), await openListening()]
  const failing = scope.write(async writes => {
    await notify(writes, 'manifest', ['never-said'])
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await scope.write(writes => notify(writes, 'manifest', ['device-1', 'more']))
  await until(() => expect(other.listener.heard).toHaveBeenCalled())
  await until(() => expect(one.listener.heard).toHaveBeenCalled())
  expect(one.listener.heard.mock.calls).toEqual([[['device-1', 'more']]])
  expect(other.listener.heard.mock.calls).toEqual([[['device-1', 'more']]])
})

test('who stopped listening hears nothing more', async () => {
  const { scope } = await makeClient(database)
  const { listener, stop } = await openListening()
  const second = await openListening()
  stop()
  await scope.write(writes => notify(writes, 'manifest', ['device-2']))
  await until(() => expect(second.listener.heard).toHaveBeenCalled())
  expect(listener.heard).not.toHaveBeenCalled()
})

test('a lost connection comes back and says that something may have been missed', async () => {
  const { scope } = await makeClient(database)
  const { listener, lost } = await openListening()
  const superuser = new Client({ connectionString: superuserUrl })
  await superuser.connect()
  await superuser.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'floorcast_bus' and datname = current_database()",
  )
  await superuser.end()
  await until(() => expect(listener.missed).toHaveBeenCalledTimes(1))
  expect(lost).toHaveBeenCalledTimes(1)
  await scope.write(writes => notify(writes, 'manifest', ['device-3']))
  await until(() => expect(listener.heard).toHaveBeenCalledWith(['device-3']))
})

test('a connection that went silent is found by asking, and replaced', { timeout: 60_000 }, async () => {
  const { scope } = await makeClient(database)
  const firewall = await openFirewall(url)
  const { listener, lost } = await openListening({ url: firewall.url, pingMs: 500 })
  expect(firewall.forget()).toBe(2)
  await scope.write(writes => notify(writes, 'manifest', ['device-4']))
  await until(() => expect(listener.missed).toHaveBeenCalled())
  expect(lost.mock.lastCall?.[0].message).toMatch(/no answer/)
  expect(listener.heard).not.toHaveBeenCalled()
  await scope.write(writes => notify(writes, 'manifest', ['device-5']))
  await until(() => expect(listener.heard).toHaveBeenCalledWith(['device-5']))
})

test('a bus whose connection went silent closes all the same', async () => {
  const firewall = await openFirewall(url)
  const { bus, lost } = await openListening({ url: firewall.url })
  firewall.forget()
  await bus.close()
  expect(lost).not.toHaveBeenCalled()
})

test('contents are refused: ids only', async () => {
  const { scope } = await makeClient(database)
  await expect(scope.write(writes => notify(writes, 'live', ['a name with spaces']))).rejects.toThrow(
    TypeError,
  )
})
