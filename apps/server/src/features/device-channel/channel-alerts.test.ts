import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { changeProfileState, editProfile } from '@floorcast/contract/device-profiles.ts'
import { addToGroup } from '@floorcast/contract/groups.ts'
import { changePublicationState } from '@floorcast/contract/publications.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeDevice, makeMedia } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { openChannel, openFormerChannel, openPlayer } from '@floorcast/testing/test-device.ts'
import { readPlayerManifest } from '@floorcast/testing/test-manifests.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerAlerts } from '../alerts/alerts-routes.ts'
import { registerDeviceProfiles } from '../device-profiles/device-profiles-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

/*
 * An alert reaches every open channel that it concerns by one notice, before manifests and without the database.
 */

const server = await testServer({
  hasOwnDatabase: true,
  features: [
    registerGroups,
    registerPlaylists,
    registerPublications,
    registerAlerts,
    registerDeviceProfiles,
    registerDeviceHost,
  ],
})
const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })

/** A shop with a device in a group, one in none, and their channels. */
async function openShop() {
  const shop = await newShop(server)
  const group = await shop.group()
  const connect = async (groupUid?: string) => {
    const { uid, licenseKey } = await makeDevice(shop.scope, groupUid ? { groupUid } : {})
    const player = await openPlayer(server, licenseKey)
    return { uid, player, channel: await openChannel(origin, uid, player.token) }
  }
  const call = async (step: 'begin' | 'end', target: string, query: { drill?: '1' } = {}) => {
    const params = { uid: target, alerttype: 'air' as const }
    const endpoint = step === 'begin' ? beginAlert : endAlert
    return (await server.call(endpoint, { token: shop.token, params, query })).uid ?? ''
  }
  return { shop, group, call, inGroup: await connect(group), alone: await connect() }
}
type Device = Awaited<ReturnType<typeof openShop>>['alone']

const alertsOf = ({ channel }: Device) =>
  channel.heard.flatMap(message => (message.type === 'alert' ? [`${message.step} ${message.alertUid}`] : []))
const lastAlertOf = ({ channel }: Device) => channel.heard.findLast(({ type }) => type === 'alert')

test('an alert for all, a group or a device is sent to those channels only, at its begin and at its end', async () => {
  const [one, other] = [await openShop(), await openShop()]
  const all = await one.call('begin', 'all')
  await eventually(() => expect(alertsOf(one.inGroup)).toEqual([`begin ${all}`]))
  await eventually(() => expect(alertsOf(one.alone)).toEqual([`begin ${all}`]))
  await one.call('end', 'all')
  await eventually(() => expect(alertsOf(one.alone)).toEqual([`begin ${all}`, `end ${all}`]))
  const ofGroup = await one.call('begin', one.group, { drill: '1' })
  await eventually(() => expect(alertsOf(one.inGroup).slice(2)).toEqual([`begin ${ofGroup}`]))
  expect(lastAlertOf(one.inGroup)).toMatchObject({ kind: 'air', isDrill: true, sound: null })
  const ofDevice = await one.call('begin', one.alone.uid)
  await eventually(() => expect(alertsOf(one.alone).slice(2)).toEqual([`begin ${ofDevice}`]))
  expect(alertsOf(one.inGroup).slice(3)).toEqual([])
  expect([other.inGroup, other.alone].flatMap(alertsOf)).toEqual([])
})

test('it names the sound that the group holds', async () => {
  const { shop, group, inGroup, call } = await openShop()
  const { uid: mediaUid, sha256 } = await makeMedia(shop.scope)
  const draft = { name: 'Loud', type: 'alert', settings: { airMedia: mediaUid }, groupUids: [group] }
  const { uid } = await server.call(editProfile, { token: shop.token, body: draft })
  await server.call(changeProfileState, { token: shop.token, params: { id: uid } })
  // The server knows sounds from the last manifest that it made, and forgets them when it hears of the profile.
  await eventually(() =>
    expect(inGroup.channel.heard).toContainEqual(expect.objectContaining({ type: 'manifest' })),
  )
  await readPlayerManifest(server, inGroup.player)
  await call('begin', group)
  await eventually(() => expect(lastAlertOf(inGroup)).toMatchObject({ sound: sha256 }))
})

test('while no manifest can be made, alerts are sent all the same, and receipts are stored', async () => {
  const { shop, inGroup, alone, call } = await openShop()
  const alert = await asSuperuser(server.superuserUrl, async superuser => {
    await superuser.query('begin')
    await superuser.query('lock table device_manifests, group_manifests, client_manifests, programmes')
    const begun = await call('begin', 'all')
    await eventually(() =>
      expect([inGroup, alone].flatMap(alertsOf)).toEqual([`begin ${begun}`, `begin ${begun}`]),
    )
    await superuser.query('rollback')
    return begun
  })
  for (const step of ['received', 'started', 'ended'] as const)
    alone.channel.say({ type: 'receipt', alertUid: alert, step, agoMs: step === 'received' ? 1500 : 0 })
  inGroup.channel.say({ type: 'receipt', alertUid: alert, step: 'received', agoMs: 0 })
  inGroup.channel.say({ type: 'receipt', alertUid: shop.uid, step: 'received', agoMs: 0 })
  const receipts = () =>
    shop.scope.reads
      .selectFrom('alertReceipts')
      .select(['deviceUid', 'receivedAt', 'endedAt'])
      .where('alertUid', '=', alert)
      .execute()
  const now = server.clock.now.toISOString()
  const ago = new Date(server.clock.now.getTime() - 1500).toISOString()
  await eventually(async () =>
    expect(
      (await receipts()).toSorted((a, b) => (a.endedAt === null ? 1 : 0) - (b.endedAt === null ? 1 : 0)),
    ).toEqual([
      { deviceUid: alone.uid, receivedAt: ago, endedAt: now },
      { deviceUid: inGroup.uid, receivedAt: now, endedAt: null },
    ]),
  )
})

test('the devices of an alert for many are told to spread their receipts, and those of one for few are not', async () => {
  const { shop, inGroup, group, call } = await openShop()
  for (let count = 0; count < 30; count += 1) {
    const { uid, licenseKey } = await makeDevice(shop.scope)
    const player = await openPlayer(server, licenseKey)
    await openChannel(origin, uid, player.token)
  }
  await call('begin', group)
  await eventually(() => expect(lastAlertOf(inGroup)).toMatchObject({ receiptsWithinSeconds: 0 }))
  await call('begin', 'all')
  await eventually(() => expect(lastAlertOf(inGroup)).toMatchObject({ receiptsWithinSeconds: 0.1 }))
})

test('a device that moves to another group hears the alerts of its new one', async () => {
  const { shop, group, alone, call } = await openShop()
  await server.call(addToGroup, { token: shop.token, params: { device: alone.uid, group } })
  const alert = await call('begin', group)
  await eventually(() => expect(alertsOf(alone)).toEqual([`begin ${alert}`]))
})

test('a device of protocol 1 is told to read its manifest, which has the alert', async () => {
  const { shop, call } = await openShop()
  const { uid, licenseKey } = await makeDevice(shop.scope)
  const player = await openPlayer(server, licenseKey)
  const channel = await openFormerChannel(origin, uid, player.token)
  const alert = await call('begin', 'all')
  expect(await channel.hear(1)).toMatchObject([{ type: 'manifest', etag: '' }])
  const { sent } = await readPlayerManifest(server, player)
  expect(sent.alerts.map(each => each.uid)).toEqual([alert])
})

test('a channel that never reads keeps no alert from the others', async () => {
  const { shop, alone, call } = await openShop()
  const { uid, licenseKey } = await makeDevice(shop.scope)
  const player = await openPlayer(server, licenseKey)
  const url = `${origin.replace('http', 'ws')}/api/v2/iplay/channel/${uid}?protocol=2`
  const deaf = new WebSocket(url, { headers: { authorization: `Bearer ${player.token}` } })
  await new Promise(resolve => deaf.once('open', resolve))
  deaf.pause()
  for (let count = 0; count < 20; count += 1) {
    await call('begin', 'all')
    await call('end', 'all')
  }
  await eventually(() => expect(alertsOf(alone)).toHaveLength(40))
  deaf.terminate()
})

test('an alert in the middle of publications is heard, and the publication reaches the device', async () => {
  const { shop, call } = await openShop()
  const { uid: publication, group } = await readyPublication(shop)
  const { uid, licenseKey } = await makeDevice(shop.scope, { groupUid: group })
  const player = await openPlayer(server, licenseKey)
  const channel = await openChannel(origin, uid, player.token)
  const turning = (async () => {
    for (let count = 0; count < 9; count += 1)
      await server.call(changePublicationState, { token: shop.token, params: { id: publication } })
  })()
  const alert = await call('begin', group)
  await turning
  await eventually(() =>
    expect(channel.heard.filter(message => message.type === 'alert')).toMatchObject([{ alertUid: alert }]),
  )
  await eventually(() => expect(channel.heard.some(message => message.type === 'manifest')).toBe(true))
  const { manifest } = await readPlayerManifest(server, player)
  expect(manifest.publications.map(each => each.uid)).toEqual([publication])
})
