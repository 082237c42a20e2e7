import { beginAlert } from '@floorcast/contract/alerts.ts'
import { addWebhook, listWebhookDeliveries } from '@floorcast/contract/webhooks.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { openReceiver, take } from '@floorcast/testing/webhook-receiver.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, it } from 'vitest'
import { registerAlerts } from '../alerts/alerts-routes.ts'
import { registerWebhooks } from './webhooks-routes.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [registerAlerts, registerWebhooks],
  environment: { WEBHOOKS_TO_PRIVATE: 'true' },
})

it('receivers that hang, or send without an end, hold up no other one', async () => {
  const hanging = await openReceiver(() => undefined)
  const endless = await openReceiver((_, response) => {
    response.writeHead(200)
    setInterval(() => response.write('x'.repeat(1_000_000)), 1).unref()
  })
  const good = await openReceiver(take)
  const { token } = await server.newClient()
  const add = async (name: string, { url }: { url: string }) =>
    (await server.call(addWebhook, { token, body: { name, url } })).uid ?? ''
  const stuck: string[] = []
  for (let n = 0; n < 6; n += 1) stuck.push(await add(`Hanging ${n}`, hanging))
  const open = await add('Endless', endless)
  const uid = await add('Good', good)
  for (const alerttype of ['air', 'chemical', 'nuclear'] as const)
    await server.call(beginAlert, { token, params: { uid: 'all', alerttype } })
  const states = async (webhook: string) =>
    (await server.call(listWebhookDeliveries, { token, params: { uid: webhook } })).items
  await eventually(async () =>
    expect((await states(uid)).map(({ state }) => state)).toEqual(Array(3).fill('delivered')),
  )
  expect((await states(open)).map(({ state, status }) => [state, status])).toEqual(
    Array(3).fill(['delivered', 200]),
  )
  for (const each of stuck)
    await eventually(async () =>
      expect(await states(each)).toMatchObject(
        Array(3).fill({ state: 'waiting', failure: 'no answer within 15 seconds' }),
      ),
    )
}, 120_000)
