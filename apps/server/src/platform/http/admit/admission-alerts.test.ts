import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import type { Priority } from '@floorcast/contract/endpoint.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { Admission } from './admission.ts'

let admission: Admission
let begun: string[]
const ends = new Map<string, () => void>()

beforeEach(() => {
  admission = new Admission({ steady: () => performance.now(), random: () => 0 })
  begun = []
})

/** A call that works until `end` names it. */
function call(name: string, priority: Priority = 'console', clientId = 'one') {
  const work = () =>
    new Promise<void>(resolve => {
      begun.push(name)
      ends.set(name, resolve)
    })
  return admission.run(priority, { clientId }, work)
}
const end = (name: string) => ends.get(name)?.()
async function started() {
  await turn()
  return begun
}

test('An alert in work holds the calls of lower priorities until it is sent, and not those of heartbeats', async () => {
  void call('alert', 'alert')
  void call('console')
  void call('beat', 'heartbeat')
  const identified = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const identifying = admission.identify('manifest', null, identified)
  expect(await started()).toEqual(['alert', 'beat'])
  end('alert')
  expect([begun, identified.mock.calls.length]).toEqual([['alert', 'beat'], 0])
  await vi.waitFor(() => expect(begun).toEqual(['alert', 'beat', 'console']))
  await identifying
})

test('An alert that takes long holds them a second, and another one cannot hold them again at once', async () => {
  void call('alert', 'alert')
  void call('console')
  expect(await started()).toEqual(['alert'])
  await vi.waitFor(() => expect(begun).toEqual(['alert', 'console']), { timeout: 5000 })
  void call('another alert', 'alert')
  void call('another console')
  expect(await started()).toEqual(['alert', 'console', 'another alert', 'another console'])
})

test('An alert holds the others until it is sent to the channels', async () => {
  const { promise: sending, resolve } = Promise.withResolvers<void>()
  void call('alert', 'alert')
  await turn()
  admission.holdDuring('alert', 'one', sending)
  end('alert')
  void call('console')
  // More time than an alert that nobody sends would hold.
  await pause(300)
  expect(begun).toEqual(['alert'])
  resolve()
  await vi.waitFor(() => expect(begun).toEqual(['alert', 'console']), { timeout: 300 })
})

test('A begin holds the others also during and just after what an end holds; an end does not just after a begin', async () => {
  void call('end', 'alert-end')
  void call('begin', 'alert')
  void call('console')
  expect(await started()).toEqual(['end', 'begin'])
  end('end')
  // The time of the end's sending is over.
  await pause(200)
  expect(begun).toEqual(['end', 'begin'])
  end('begin')
  await vi.waitFor(() => expect(begun).toContain('console'))
  // Just after the begin an end holds nothing.
  void call('late end', 'alert-end')
  void call('second console')
  expect((await started()).slice(3)).toEqual(['late end', 'second console'])
  await pause(1100)
  const ending = call('another end', 'alert-end')
  await turn()
  end('another end')
  await ending
  await pause(200)
  void call('begin at once', 'alert')
  void call('third console')
  expect((await started()).slice(5)).toEqual(['another end', 'begin at once'])
})

test('An alert that ends does not let the others in while another one is in work, and one that is refused does at once', async () => {
  void call('one', 'alert')
  void call('two', 'alert')
  void call('console')
  await turn()
  end('one')
  await pause(200)
  expect(begun).toEqual(['one', 'two'])
  end('two')
  await vi.waitFor(() => expect(begun).toContain('console'))

  await pause(1100)
  const refusal = admission.run('alert', { clientId: 'one' }, () =>
    Promise.reject(new Error('no such group')),
  )
  void call('another console')
  await expect(refusal).rejects.toThrow('no such group')
  // Before the second is over.
  await vi.waitFor(() => expect(begun).toContain('another console'), { timeout: 300 })
})

test('The alerts of one client hold the others twelve times a minute, and those of another client still do', async () => {
  let millis = 0
  admission = new Admission({ steady: () => millis, random: () => 0 })
  const heldBy = async (clientId: string) => {
    millis += 2000
    const name = `${clientId} ${millis}`
    const alert = call(name, 'alert', clientId)
    const other = call(`other ${millis}`, 'console', 'other')
    const isHeld = !(await started()).includes(`other ${millis}`)
    end(name)
    await vi.waitFor(() => expect(begun).toContain(`other ${millis}`))
    end(`other ${millis}`)
    await Promise.all([alert, other])
    return isHeld
  }
  const held = []
  for (let nr = 0; nr < 14; nr += 1) held.push(await heldBy('one'))
  expect(held).toEqual([...Array<boolean>(12).fill(true), false, false])
  expect(await heldBy('two')).toBe(true)
  millis += 60_000
  expect(await heldBy('one')).toBe(true)
})
