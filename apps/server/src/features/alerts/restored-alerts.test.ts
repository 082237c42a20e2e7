import { beginAlert, endAlert, listAlerts } from '@floorcast/contract/alerts.ts'
import { readAudit } from '@floorcast/contract/audit.ts'
import { type HeartbeatAnswer, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { startAnother, testServer } from '@floorcast/testing/test-server.ts'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { registerDeviceHost } from '../../device-host.ts'
import { describeRestoration, noteRestored } from '../../platform/database/restorations.ts'
import { registerAudit } from '../audit/audit-routes.ts'
import { registerAlerts } from './alerts-routes.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [registerAlerts, registerAudit, registerDeviceHost],
})
server.clock.now = new Date()

/** The rows are of this moment. @returns what a restore says */
async function restore(moment: Date): Promise<string[]> {
  const owner = new Client({ connectionString: server.url })
  await owner.connect()
  const restoration = await noteRestored(owner, moment.toISOString())
  await owner.end()
  return describeRestoration(restoration)
}

it('a restore ends the alerts that were open at the moment of the backup: no device hears of them again, and it names them', async () => {
  const { token, scope, email } = await server.newClient()
  const { licenseKey } = await makeDevice(scope, { name: 'Till 4' })
  const player = await openPlayer(server, licenseKey)
  const { deviceUid } = player
  const begin = (uid: string, alerttype: 'air' | 'chemical' | 'nuclear', drill: '0' | '1' = '0') =>
    server.call(beginAlert, { token, params: { uid, alerttype }, query: { drill } })
  await begin('all', 'air')
  await begin(deviceUid, 'chemical', '1')
  await begin('all', 'nuclear')
  await server.call(endAlert, { token, params: { uid: 'all', alerttype: 'nuclear' } })

  const beganAt = server.clock.now.toISOString()
  const said = await restore(server.clock.now)
  expect(said[0]).toMatch(/^2 alerts were open at that moment and are ended now/)
  expect(said.slice(1).toSorted()).toEqual([
    `  alert air of Olga Owner, all devices, begun ${beganAt}`,
    `  drill chemical of Olga Owner, Till 4, begun ${beganAt}`,
  ])
  // The database is restored while no server runs.
  const started = await startAnother(server)
  const answer = await started.inject({
    method: 'POST',
    url: sendHeartbeat.path,
    headers: { authorization: `Bearer ${player.token}` },
    payload: makeHeartbeat(),
  })
  expect(answer.json<{ data: HeartbeatAnswer }>().data.alerts).toEqual([])

  const { items } = await server.call(listAlerts, { token })
  expect(Object.fromEntries(items.map(({ kind, endedBy }) => [kind, endedBy]))).toEqual({
    air: 'operator',
    chemical: 'operator',
    nuclear: email,
  })
  const { items: audited } = await server.call(readAudit, {
    token,
    params: { id: 'all' },
    query: { size: 50 },
  })
  const ends = audited.filter(({ userName }) => userName === 'operator')
  expect(ends).toHaveLength(2)
  const entry = { class: 'end', type: 'alert', userUid: null }
  for (const thingName of ['Till 4', 'all'])
    expect(ends).toContainEqual(expect.objectContaining({ ...entry, thingName }))

  // An alert of today is none of the backup's: the same restore is noted once.
  await begin('all', 'air')
  expect(await restore(new Date(beganAt))).toEqual([])
  expect((await server.call(listAlerts, { token, query: { state: 'open' } })).items).toHaveLength(1)
})

it('a restore says that the installation is read only, as it was then', async () => {
  const readOnly = (until: string) =>
    asSuperuser(server.superuserUrl, superuser =>
      superuser.query(`update installation_state set read_only_since = now(), read_only_until = ${until}`),
    )
  await restore(new Date(0))
  await readOnly("now() + interval '1 hour'")
  expect(await restore(new Date(1))).toEqual([
    'The installation is read only, as it was at that moment: an operator ends that at /operator',
  ])
  await readOnly("now() - interval '1 hour'")
  expect(await restore(new Date(2))).toEqual([])
})
