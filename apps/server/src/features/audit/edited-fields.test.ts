import { readAudit } from '@floorcast/contract/audit.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { endpoints } from '@floorcast/contract/endpoints.ts'
import { editProfile } from '@floorcast/contract/device-profiles.ts'
import { addSavedView } from '@floorcast/contract/saved-views.ts'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import { addWebhook } from '@floorcast/contract/webhooks.ts'
import { makeDevice, makeGroup, makeMedia } from '@floorcast/testing/factories.ts'
import { inputSchema } from '@floorcast/testing/sample-calls.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { newUpdateShop, type UpdateShop } from '@floorcast/testing/test-updates.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerLibrary } from '../../library.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'
import { registerUsers } from '../tenants/users-routes.ts'
import { registerDeviceProfiles } from '../device-profiles/device-profiles-routes.ts'
import { registerUpdates } from '../updates/updates-routes.ts'
import { registerSavedViews } from '../saved-views/saved-views-routes.ts'
import { registerWebhooks } from '../webhooks/webhooks-routes.ts'
import { registerAudit } from './audit-routes.ts'

let server: TestServer
let shop: UpdateShop
beforeAll(async () => {
  server = await testServer({
    features: [
      registerDevices,
      registerGroups,
      registerLibrary,
      registerPlaylists,
      registerPublications,
      registerTags,
      registerUsers,
      registerDeviceProfiles,
      registerUpdates,
      registerSavedViews,
      registerWebhooks,
      registerAudit,
    ],
  })
  shop = await newUpdateShop(server)
})

type Row = Record<string, unknown>

/** Something that an edit call changes. */
interface Target {
  /** The item in whose history the change is. */
  uid: string
  /** The stored values now. */
  read: () => Promise<Row | undefined>
  /** The fields of the call that identify the item. */
  body?: object
  params?: object
  /** The fields, each with another value than it has. */
  changes: Row
  /** As the history calls a field; its own name where absent. */
  names?: Record<string, string>
}

type Table =
  | 'devices'
  | 'groups'
  | 'mediaItems'
  | 'playlists'
  | 'publications'
  | 'profiles'
  | 'users'
  | 'updateFiles'
  | 'updatePackages'
  | 'updateChannels'
  | 'deployPackages'
  | 'savedViews'
  | 'webhooks'

/** A row as it is. */
const stored = (table: Table, uid: string): Promise<Row | undefined> =>
  // One table represents all: Kysely's types of twelve tables at once are too many for the compiler.
  shop.scope.reads
    .selectFrom(table as 'groups')
    .selectAll()
    .where('uid', '=', uid)
    .executeTakeFirst()

const storedTag = (deviceUid: string, key: string): Promise<Row | undefined> =>
  shop.scope.reads
    .selectFrom('tags')
    .selectAll()
    .where('deviceUid', '=', deviceUid)
    .where('key', '=', key)
    .executeTakeFirst()

const storedItem = (uid: string) =>
  shop.scope.reads
    .selectFrom('playlistItems')
    .select(['repeatCount', 'replaySeconds', 'startTime'])
    .where('uid', '=', uid)
    .executeTakeFirst()

async function groupsOf(owner: { profileUid: string } | { channelUid: string }): Promise<string[]> {
  const { reads } = shop.scope
  const rows =
    'profileUid' in owner
      ? await reads
          .selectFrom('profileGroups')
          .select('groupUid')
          .where('profileUid', '=', owner.profileUid)
          .execute()
      : await reads
          .selectFrom('updateChannelGroups')
          .select('groupUid')
          .where('channelUid', '=', owner.channelUid)
          .execute()
  return rows.map(({ groupUid }) => groupUid).toSorted()
}

const text = { name: 'Another name', description: 'Another description' }

/** Fields of an edit call's body that identify the item and its version. */
const NAMING: Record<string, string[]> = {
  'tags.editTag': ['key'],
  // A profile keeps its type.
  'profiles.editProfile': ['uid', 'version', 'type'],
  'updatePackages.editPackage': ['uid', 'recordVersion'],
  'users.editUser': ['uid', 'password'],
}

/** Every call that edits something, with something to edit. */
const TARGETS: Record<string, () => Promise<Target>> = {
  'devices.editDevice': async () => {
    const { uid } = await makeDevice(shop.scope)
    return {
      uid,
      read: async () => ({
        ...(await stored('devices', uid)),
        volume: (await storedTag(uid, 'volume'))?.value ?? null,
      }),
      changes: { ...text, storeNumber: 'A-17', volume: 35, expiresAt: '2031-05-04T03:02:01Z' },
    }
  },
  'groups.editGroup': async () => {
    const uid = await makeGroup(shop.scope)
    return { uid, read: () => stored('groups', uid), changes: text }
  },
  'media.editMedia': async () => {
    const { uid } = await makeMedia(shop.scope)
    const params = { contentType: 'melodies' }
    return {
      uid,
      params,
      read: () => stored('mediaItems', uid),
      changes: {
        ...text,
        artist: 'Ana',
        title: 'Song',
        isrc: 'USRC17607839',
        composer: 'Ben',
        publisher: 'Cleo',
      },
    }
  },
  'playlists.editPlaylist': async () => {
    const uid = await shop.playlist()
    const { uid: item } = await shop.scope.reads
      .selectFrom('playlistItems')
      .select('uid')
      .where('playlistUid', '=', uid)
      .executeTakeFirstOrThrow()
    return {
      uid,
      read: async () => ({
        ...(await stored('playlists', uid)),
        items: await storedItem(item),
      }),
      changes: {
        ...text,
        startDate: '2031-02-03',
        endDate: '2031-04-05',
        crossfadeSeconds: 2.5,
        items: [{ uid: item, replaySeconds: 95.5, startTime: '09:30' }],
      },
      names: { items: 'item 1' },
    }
  },
  'deployments.editPublication': async () => {
    const uid = (await shop.publish(await shop.group(), await shop.playlist())).uid ?? ''
    const bound = { groupUid: await shop.group(), playlistUid: await shop.playlist() }
    return { uid, read: () => stored('publications', uid), changes: { ...text, ...bound } }
  },
  'tags.editTag': async () => {
    const { uid } = await makeDevice(shop.scope)
    const params = { contentType: 'device', uid }
    const tag = { key: 'city', value: 'Rome', description: 'Its seat' }
    await server.call(addTag, { token: shop.token, params, body: tag })
    return {
      uid,
      params,
      body: { key: 'city' },
      read: () => storedTag(uid, 'city'),
      changes: { value: 'Oslo', description: 'Its new seat' },
      names: { value: 'city', description: 'city (description)' },
    }
  },
  'profiles.editProfile': async () => {
    const body = { name: 'Quiet hours', type: 'audio', settings: { defaultVolume: 20 } }
    const { uid = '' } = await server.call(editProfile, { token: shop.token, body })
    return {
      uid,
      read: async () => ({
        ...(await stored('profiles', uid)),
        groupUids: await groupsOf({ profileUid: uid }),
      }),
      changes: {
        ...text,
        settings: { defaultVolume: 30, loudnessTargetLufs: -16 },
        groupUids: [shop.groupUid],
      },
    }
  },
  'users.editUser': async () => {
    const { uid: linkedDeviceUid } = await makeDevice(shop.scope)
    const { uid } = await signedInUser(shop.scope, { role: 'streamer', linkedDeviceUid })
    const { uid: other } = await makeDevice(shop.scope)
    return {
      uid,
      read: () => stored('users', uid),
      changes: {
        linkedDeviceUid: other,
        rights: 'view',
        firstName: 'Vera',
        lastName: 'Verdi',
        role: 'manager',
        language: 'fr',
      },
    }
  },
  'updateFiles.editUpdateFile': async () => {
    const { uid = '' } = await shop.upload(await shop.addPackage(), { bytes: Buffer.from('a player') })
    return { uid, read: () => stored('updateFiles', uid), changes: text }
  },
  'updatePackages.editPackage': async () => {
    const uid = await shop.addPackage()
    return {
      uid,
      read: () => stored('updatePackages', uid),
      changes: { ...text, category: 'Another category', version: '9.8.7' },
    }
  },
  'updateChannels.editChannel': async () => {
    const uid = await shop.addChannel()
    return {
      uid,
      read: async () => ({
        ...(await stored('updateChannels', uid)),
        groupUids: await groupsOf({ channelUid: uid }),
      }),
      changes: { ...text, groupUids: [await shop.group()] },
    }
  },
  'savedViews.editSavedView': async () => {
    const view = { list: 'devices', name: 'Late shops', isShared: true }
    const { uid = '' } = await server.call(addSavedView, { token: shop.token, body: view })
    return {
      uid,
      read: () => stored('savedViews', uid),
      changes: {
        name: text.name,
        search: 'berlin',
        sort: 'lastContactAt',
        dir: 'desc',
        filters: { connectivity: 'late' },
        columns: ['name'],
      },
    }
  },
  'webhooks.editWebhook': async () => {
    const hook = { name: 'Tickets', url: 'https://shop.example/events' }
    const { uid = '' } = await server.call(addWebhook, { token: shop.token, body: hook })
    return {
      uid,
      names: { url: 'address', kinds: 'eventKinds' },
      read: () => stored('webhooks', uid),
      changes: {
        name: text.name,
        url: 'https://shop.example/others',
        kinds: ['alert.begun'],
        state: 'disabled',
      },
    }
  },
  'deployPackages.editDeployPackage': async () => {
    const uid = await shop.deploy(await shop.addPackage(), await shop.addChannel())
    const pair = { packageUid: await shop.addPackage(), channelUid: await shop.addChannel() }
    const { description } = text
    return { uid, read: () => stored('deployPackages', uid), changes: { ...pair, description } }
  },
}

const edits = endpoints
  .filter(({ name }) => name.startsWith('edit'))
  .map(one => ({ ...one, title: `${one.noun}.${one.name}` }))

/** Edits one field. @returns the differences in the database and in the history */
async function editOne(endpoint: Endpoint, target: Target, field: string) {
  const { uid, names = {} } = target
  const before = await target.read()
  const body = { ...(target.body ?? { uid }), [field]: target.changes[field] }
  await server.call(endpoint, { token: shop.token, params: target.params ?? {}, body })
  const after = await target.read()
  const [entry] = (await server.call(readAudit, { token: shop.token, params: { id: uid } })).items
  const differing = Object.keys(target.changes).filter(
    name => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]),
  )
  const really = differing.map(name => [names[name] ?? name, [before?.[name], after?.[name]]])
  return { differing, really: Object.fromEntries(really) as Row, told: entry?.changes }
}

it.each(edits)(
  'the history of an edited entity has its fields as they were and as they are $title',
  async ({ title, endpoint }) => {
    const make = TARGETS[title]
    if (!make) throw new Error(`${title} has nothing to edit here`)
    const noField = NAMING[title] ?? ['uid', 'version']
    const fields = Object.keys(inputSchema(endpoint.body).properties ?? {}).filter(
      name => !noField.includes(name),
    )
    expect(Object.keys((await make()).changes).toSorted()).toEqual(fields.toSorted())
    for (const field of fields) {
      const { differing, really, told } = await editOne(endpoint, await make(), field)
      expect.soft(differing).toContain(field)
      expect.soft(told).toEqual(really)
    }
  },
)
