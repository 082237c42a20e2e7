import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { readAudit } from '@floorcast/contract/audit.ts'
import { listClientEvents } from '@floorcast/contract/client-events.ts'
import {
  addWebhook,
  deleteWebhook,
  editWebhook,
  listWebhookDeliveries,
  listWebhooks,
  MAX_WEBHOOKS,
  resendWebhookDelivery,
  rotateWebhook,
} from '@floorcast/contract/webhooks.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { type Answer, openReceiver, type Received, take } from '@floorcast/testing/webhook-receiver.ts'
import { Webhook } from 'standardwebhooks'
import { beforeEach, expect, it } from 'vitest'
import { registerAlerts } from '../alerts/alerts-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'
import { registerClientEvents } from '../client-events/client-events-routes.ts'
import { publicLookup } from './post-event.ts'
import { registerWebhooks } from './webhooks-routes.ts'

const features = [registerAlerts, registerAudit, registerClientEvents, registerWebhooks]
const server = await testServer({
  hasOwnDatabase: true,
  features,
  environment: { WEBHOOKS_TO_PRIVATE: 'true' },
})
const strict = await testServer({ hasOwnDatabase: true, features })

// Signatures are checked against the clock of this machine.
beforeEach(() => {
  server.clock.now = new Date()
})

async function newHook(receiver: { url: string }, kinds: string[] | null = null) {
  const client = await server.newClient()
  const { token } = client
  const body = { name: 'Tickets', url: receiver.url, kinds } as never
  const { uid = '', secret } = await server.call(addWebhook, { token, body })
  const alarm = async () => {
    const params = { uid: 'all', alerttype: 'air' } as const
    await server.call(beginAlert, { token, params })
    await server.call(endAlert, { token, params })
  }
  const deliveries = async (query: { state?: string; size?: number } = {}) =>
    (await server.call(listWebhookDeliveries, { token, params: { uid }, query })).items
  const hook = async () => (await server.call(listWebhooks, { token })).find(each => each.uid === uid)
  const edit = (change: object) => server.call(editWebhook, { token, body: { uid, ...change } })
  return { ...client, hook: uid, secret, alarm, deliveries, read: hook, edit }
}

/** Lets time pass, and wakes the sender as its next look would. */
async function pass(seconds: number): Promise<void> {
  server.clock.now = new Date(server.clock.now.getTime() + seconds * 1000)
  await asSuperuser(server.superuserUrl, superuser => superuser.query('notify floorcast_webhook'))
}

it('each event is posted once, in order, signed as Standard Webhooks has it, and the log says so', async () => {
  const receiver = await openReceiver()
  const { token, hook, secret, alarm, deliveries, read } = await newHook(receiver)
  await alarm()
  await eventually(() => expect(receiver.kinds()).toEqual(['alert.begun', 'alert.ended']))
  const events = await server.call(listClientEvents, { token })
  for (const [index, { body, headers, data }] of receiver.received.entries()) {
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: data.kind })
    expect(data).toEqual(events.items[index])
    expect(headers['webhook-id']).toBe(`${hook}.${data.position}`)
  }
  await eventually(async () =>
    expect(await deliveries()).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]),
  )
  expect(await deliveries({ size: 1 })).toMatchObject([
    { kind: 'alert.ended', attempts: 1, status: 204, failure: null, dueAt: null },
  ])
  expect(await read()).toMatchObject({ state: 'active', failingSince: null, waiting: 0 })
  const audit = await server.call(readAudit, { token, params: { id: hook } })
  expect(audit.items).toMatchObject([{ type: 'webhook', class: 'add' }])
  expect(JSON.stringify(audit)).not.toContain('whsec')
})

it('a webhook gets the kinds that it asks for, and nothing of other clients', async () => {
  const receiver = await openReceiver()
  const own = await newHook(receiver, ['alert.ended'])
  const other = await newHook(await openReceiver())
  await other.alarm()
  await own.alarm()
  await eventually(() => expect(receiver.kinds()).toEqual(['alert.ended']))
  expect(
    (await server.ask(listWebhookDeliveries, { token: other.token, params: { uid: own.hook } })).statusCode,
  ).toBe(404)
  expect(
    (await server.ask(editWebhook, { token: other.token, body: { uid: own.hook, name: 'Mine' } })).statusCode,
  ).toBe(404)
})

it('a receiver that fails gets the event again with the same id, and the next event of its topic only after it', async () => {
  const receiver = await openReceiver((_, response) => response.writeHead(500).end('x'.repeat(1_000_000)))
  const { alarm, deliveries, read } = await newHook(receiver)
  await alarm()
  await eventually(() => expect(receiver.received).toHaveLength(1))
  await eventually(async () => expect((await read())?.failingSince).not.toBeNull())
  receiver.answer = take
  await pass(6)
  await eventually(() => expect(receiver.kinds()).toEqual(['alert.begun', 'alert.begun', 'alert.ended']))
  const [first, second] = receiver.received
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  await eventually(async () =>
    expect(await deliveries()).toMatchObject([{ attempts: 1 }, { attempts: 2, state: 'delivered' }]),
  )
  expect((await read())?.failingSince).toBeNull()
})

it.each<[string, Answer, string]>([
  [
    'redirects',
    (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    'HTTP 302',
  ],
  ['closes', (_, __, request) => void request.socket.destroy(), 'socket hang up'],
  [
    'answers no HTTP',
    (_, __, request) => void request.socket.end('nonsense\r\n\r\n'),
    'Parse Error: Expected HTTP/, RTSP/ or ICE/',
  ],
])('a receiver that %s has not taken the event', async (_, answer, failure) => {
  const { alarm, deliveries } = await newHook(await openReceiver(answer), ['alert.begun'])
  await alarm()
  await eventually(async () => expect(await deliveries()).toMatchObject([{ state: 'waiting', failure }]))
})

it('an event that nobody takes for a day is given up; after three days the webhook is off, and an event says so', async () => {
  const receiver = await openReceiver((_, response) => response.writeHead(503).end())
  const { scope, hook, alarm, deliveries } = await newHook(receiver, ['alert.begun'])
  await alarm()
  await eventually(async () => expect(await deliveries()).toMatchObject([{ failure: 'HTTP 503' }]))
  /** A session of then, since that of before has ended. */
  const later = async (hours: number) => {
    await pass(hours * 3600)
    const { token } = await signedInUser(scope, { role: 'admin', at: server.clock.now })
    const list = async () => {
      const query = { state: 'failed' }
      return (await server.call(listWebhookDeliveries, { token, params: { uid: hook }, query })).items
    }
    const read = async () => (await server.call(listWebhooks, { token }))[0]
    /** Whether the newest attempt has not been noted. */
    const isUnderWay = async () => {
      const call = { token, params: { uid: hook }, query: {} }
      const [newest] = (await server.call(listWebhookDeliveries, call)).items
      return newest?.triedAt === null
    }
    return { token, list, read, isUnderWay }
  }
  const next = await later(25)
  await eventually(async () =>
    expect(await next.list()).toMatchObject([{ state: 'failed', attempts: 2, failure: 'HTTP 503' }]),
  )
  const params = { uid: 'all', alerttype: 'air' } as const
  await server.call(beginAlert, { token: next.token, params })
  await eventually(() => expect(receiver.received).toHaveLength(3))
  await eventually(async () => expect(await next.isUnderWay()).toBe(false))
  const { token, list, read } = await later(50)
  await eventually(async () => expect(await read()).toMatchObject({ state: 'disabled', waiting: 0 }))
  expect(await list()).toHaveLength(2)
  const events = await server.call(listClientEvents, { token, query: { kind: 'webhook.disabled' } })
  expect(events.items).toMatchObject([{ webhook: { uid: hook } }])
  const position = (await list())[0]?.position
  const again = await server.ask(resendWebhookDelivery, { token, params: { uid: hook, position } })
  expect(again.json()).toMatchObject({ data: { code: 400, reason: 'webhook-disabled' } })
  receiver.answer = take
  await server.call(editWebhook, { token, body: { uid: hook, state: 'active' } })
  await server.call(resendWebhookDelivery, { token, params: { uid: hook, position } })
  await eventually(async () => expect(await list()).toHaveLength(1))
})

it('a rotated secret signs beside the former one for a day', async () => {
  const receiver = await openReceiver()
  const { token, scope, hook, secret, alarm } = await newHook(receiver, ['alert.begun'])
  const renewed = await server.call(rotateWebhook, { token, params: { uid: hook } })
  await alarm()
  await eventually(() => expect(receiver.received).toHaveLength(1))
  const [{ body, headers }] = receiver.received as [Received]
  for (const each of [secret, renewed.secret])
    expect(() => new Webhook(each).verify(body, headers)).not.toThrow()
  await pass(25 * 3600)
  const { token: later } = await signedInUser(scope, { role: 'admin', at: server.clock.now })
  await server.call(beginAlert, { token: later, params: { uid: 'all', alerttype: 'nuclear' } })
  await eventually(() => expect(receiver.received).toHaveLength(2))
  const signatures = receiver.received[1]?.headers['webhook-signature']?.split(' ')
  expect(signatures).toHaveLength(1)
})

it('a webhook that is deleted, or turned off, gets nothing more', async () => {
  const receiver = await openReceiver((_, response) => response.writeHead(500).end())
  const { token, hook, alarm, deliveries, edit, read } = await newHook(receiver)
  await alarm()
  await eventually(async () => expect(await deliveries()).toMatchObject([{}, { failure: 'HTTP 500' }]))
  await edit({ state: 'disabled', version: (await read())?.version })
  expect(await deliveries()).toMatchObject([
    { state: 'failed' },
    { state: 'failed', failure: 'disabled by an admin' },
  ])
  await alarm()
  await server.call(deleteWebhook, { token, body: { uid: hook } })
  await pass(600)
  await alarm()
  expect(receiver.received).toHaveLength(1)
  expect(await server.call(listWebhooks, { token })).toEqual([])
})

it.each([
  'http://shop.example/events',
  'https://localhost/events',
  'https://127.0.0.1/events',
  'https://10.1.2.3/events',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/events',
  'https://[::ffff:10.0.0.1]/events',
  'https://[fd00::1]/events',
  'https://2130706433/events',
  'ftp://shop.example/',
  'https://user:password@shop.example/',
  'nowhere',
])('%s is refused as the address of a webhook', async url => {
  const { token } = await strict.newClient()
  const answer = await strict.ask(addWebhook, { token, body: { name: 'Tickets', url } })
  expect(answer.statusCode).toBe(422)
  expect(answer.json()).toMatchObject({ errors: [{ path: 'url' }] })
})

it('a name that leads to a private address, also beside a public one or the second time, is not called', async () => {
  const [open, inner] = [
    { address: '93.184.216.34', family: 4 },
    { address: '10.1.2.3', family: 4 },
  ]
  const answers = [[open], [inner], [open, inner], [{ address: '::ffff:10.1.2.3', family: 6 }], []]
  const lookup = publicLookup(() => Promise.resolve(answers.shift() ?? []))
  const ask = () =>
    new Promise(resolve => lookup('shop.example', {}, (error, at) => resolve(error?.message ?? at)))
  expect(await ask()).toBe(open.address)
  for (let n = 0; n < 4; n += 1) expect(await ask()).toBe('shop.example is no public address')
})

it('a name that nobody knows is in the log, and the event waits', async () => {
  const { token } = await strict.newClient()
  const url = 'https://shop.invalid/events'
  const { uid } = await strict.call(addWebhook, { token, body: { name: 'Tickets', url } })
  await strict.call(beginAlert, { token, params: { uid: 'all', alerttype: 'air' } })
  await eventually(async () => {
    const { items } = await strict.call(listWebhookDeliveries, { token, params: { uid } })
    expect(items).toMatchObject([{ state: 'waiting', status: null, failure: expect.any(String) as string }])
  })
})

it('a client has at most twenty webhooks', async () => {
  const { token } = await strict.newClient()
  const add = () =>
    strict.call(addWebhook, { token, body: { name: 'Tickets', url: 'https://shop.example/events' } })
  for (let n = 0; n < MAX_WEBHOOKS; n += 1) expect(await add()).toMatchObject({ code: 200 })
  expect(await add()).toMatchObject({ code: 400, reason: 'row-limit', limit: MAX_WEBHOOKS })
  expect(await strict.call(listWebhooks, { token })).toHaveLength(MAX_WEBHOOKS)
})

it('managers and users who only view make no webhooks', async () => {
  const { scope } = await server.newClient()
  for (const given of [{ role: 'manager' as const }, { role: 'admin' as const, rights: 'view' as const }]) {
    const { token } = await signedInUser(scope, given)
    const answer = await server.ask(addWebhook, {
      token,
      body: { name: 'Tickets', url: 'https://shop.example/' },
    })
    expect(answer.statusCode).toBe(403)
  }
})
