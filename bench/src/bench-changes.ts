import { readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { readDelivery } from '@floorcast/contract/delivery-report.ts'
import { changeProfileState, editProfile } from '@floorcast/contract/device-profiles.ts'
import { deleteManyDevices } from '@floorcast/contract/devices.ts'
import { addGroup, changeGroupState, deleteGroup, listGroups } from '@floorcast/contract/groups.ts'
import { editMedia } from '@floorcast/contract/media.ts'
import { addPlaylist, addTrack, changePlaylistState } from '@floorcast/contract/playlists.ts'
import {
  addPublication,
  changePublicationState,
  deletePublication,
  listPublicationDevices,
  readPublication,
} from '@floorcast/contract/publications.ts'
import { listBin } from '@floorcast/contract/recycle-bin.ts'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import { type Bench, type Figure, numberOption } from './bench-types.ts'
import { type Chain, withChain } from './connected-chain.ts'

const DEVICES = 10_000
const PLAYLISTS = 1000
/** The size of the client beside which growth is measured. */
const SMALL_SHARE = 0.1
const CALLS_AT_ONCE = 8

const audio = { contentType: 'audio' } as const
const BINS = 1000

/** The changes and reports that concern all devices of a client, in the order in which they are measured. */
const CHANGES = {
  clientTag: 'a tag of the client',
  groupTag: 'a tag of the group',
  profile: 'a profile of the group activated',
  mediaRenamed: 'a media item renamed that a thousand publications play',
  delivery: 'the delivery report of a media item',
  card: "a publication's card with its first devices",
  groups: 'the list of groups',
  dashboard: 'the figures of the dashboard',
  groupDeleted: 'the group deleted, which all devices leave',
  binned: 'all devices moved to the recycle bin, a call of a thousand',
  bin: 'the recycle bin with all devices',
}
type Change = keyof typeof CHANGES

interface Cost {
  ms: number
  /** Of server and PostgreSQL. */
  processorMs: number
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, worker))
}

/** Publishes a media item in groups of their own, by a playlist each. */
async function publishWidely({ fixture }: Chain, mediaUid: string): Promise<void> {
  const { call } = fixture
  const numbers = Array.from({ length: PLAYLISTS }, (_, index) => index + 1)
  await inParallel(numbers, async number => {
    const { uid: groupUid = '' } = await call(addGroup, { params: audio, body: { name: `Region ${number}` } })
    const { uid: playlistUid = '' } = await call(addPlaylist, {
      params: audio,
      body: { name: `Mix ${number}` },
    })
    await call(addTrack, { params: { track: mediaUid, playlist: playlistUid } })
    await call(changePlaylistState, { params: { id: playlistUid } })
    await call(changeGroupState, { params: { id: groupUid } })
    const draft = { name: `Campaign ${number}`, groupUid, playlistUid }
    const { uid = '' } = await call(addPublication, { params: audio, body: draft })
    await call(changePublicationState, { params: { id: uid } })
  })
}

async function findTrack({ fixture, simpleUid }: Chain): Promise<string> {
  const { rows } = await fixture.superuser.query<{ uid: string }>(
    `select i.media_uid as uid from publications p join playlist_items i on i.playlist_uid = p.playlist_uid
     where p.uid = $1 order by i.position limit 1`,
    [simpleUid],
  )
  return rows[0]?.uid ?? ''
}

async function measureChanges(chain: Chain): Promise<Record<Change, Cost>> {
  const { fixture, groupUid, simpleUid, smartUid, devices } = chain
  const { call } = fixture
  const mediaUid = await findTrack(chain)
  await publishWidely(chain, mediaUid)
  await fixture.superuser.query('vacuum analyze')
  const costs = {} as Record<Change, Cost>
  const measure = async (change: Change, work: () => Promise<unknown>, calls = 1) => {
    const end = fixture.measureProcessors()
    for (let count = 0; count < calls; count += 1) await work()
    const { passed, server, postgres } = end()
    costs[change] = { ms: (passed * 1000) / calls, processorMs: ((server + postgres) * 1000) / calls }
  }
  const tag = { key: 'volume', value: '70', description: '' }
  await measure('clientTag', () => call(addTag, { params: { contentType: 'client', uid: 'own' }, body: tag }))
  await measure('groupTag', () =>
    call(addTag, { params: { contentType: 'group', uid: groupUid }, body: tag }),
  )
  const draft = {
    name: 'Quiet',
    type: 'audio' as const,
    settings: { defaultVolume: 40 },
    groupUids: [groupUid],
  }
  const { uid: profileUid = '' } = await call(editProfile, { body: draft })
  await measure('profile', () => call(changeProfileState, { params: { id: profileUid } }))
  const renamed = { uid: mediaUid, name: 'Renamed' }
  await measure('mediaRenamed', () => call(editMedia, { params: { contentType: 'melodies' }, body: renamed }))
  await measure('delivery', () => call(readDelivery, { params: { uid: mediaUid }, query: {} }))
  await measure('card', async () => {
    await call(readPublication, { params: { id: simpleUid } })
    await call(listPublicationDevices, { params: { id: simpleUid }, query: {} })
  })
  await measure('groups', () => call(listGroups, { params: { x: 'all' }, query: {} }))
  await measure('dashboard', () => call(readQuickMetrics, {}))
  await call(changePublicationState, { params: { id: simpleUid } })
  for (const uid of [simpleUid, smartUid]) await call(deletePublication, { body: { uid } })
  await measure('groupDeleted', () => call(deleteGroup, { body: { uid: groupUid } }))
  const body = { filter: { kind: 'all' as const }, all: true as const }
  await measure('binned', () => call(deleteManyDevices, { body }), Math.ceil(devices.length / BINS))
  await measure('bin', () => call(listBin, { params: { x: 'devices' }, query: {} }))
  return costs
}

async function run(args: readonly string[]): Promise<Record<string, number>> {
  const count = numberOption(args, '--devices', DEVICES)
  const few = await withChain(args, { count: Math.max(1, Math.round(count * SMALL_SHARE)) }, measureChanges)
  const all = await withChain(args, { count }, measureChanges)
  return Object.fromEntries(
    Object.keys(CHANGES).flatMap(name => {
      const change = name as Change
      return [
        [change, all[change].ms],
        [`${change}Processor`, all[change].processorMs],
        [`${change}Growth`, all[change].ms / few[change].ms],
      ]
    }),
  )
}

const bench: Bench = {
  name: 'changes',
  what: 'Changes and reports that concern all devices of a client, which are away; growth from a tenth of the devices. --devices N (10,000)',
  numbers: ['--devices'],
  figures: Object.fromEntries(
    Object.entries(CHANGES).flatMap(([change, what]): [string, Figure][] => [
      [change, { what, unit: 'ms' }],
      [`${change}Processor`, { what: `${what}: server and PostgreSQL`, unit: 'ms' }],
      [`${change}Growth`, { what: `${what}: beside a tenth of the devices`, unit: '×' }],
    ]),
  ),
  run,
}
export default bench
