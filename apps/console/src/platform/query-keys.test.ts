import { LiveLine } from '@floorcast/contract/change-feed.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { markStale, queryKeys, type ChangedEntity } from './query-keys.ts'

const topics = LiveLine.shape.thing.unwrap().options

/** A client that has fetched one query of each kind. */
function cachedQueries() {
  const queries = new QueryClient()
  const keys = {
    account: queryKeys.account(),
    alert: queryKeys.alerts.card('a1'),
    user: queryKeys.users.list({}),
    metrics: queryKeys.dashboard.metrics(),
    device: queryKeys.devices.card('d1'),
    otherDevice: queryKeys.devices.card('d2'),
    group: queryKeys.groups.card('g1'),
    media: queryKeys.media.card({ contentType: 'ads', uid: 'm1' }),
    library: queryKeys.media.library('ads', ''),
    playlist: queryKeys.playlists.card('p1'),
    source: queryKeys.playlists.source('p1'),
    publication: queryKeys.publications.card('b1'),
    plays: queryKeys.devices.lastPlays('d1'),
    installation: queryKeys.installation(),
  }
  for (const key of Object.values(keys)) queries.setQueryData(key, {})
  const staleNames = () =>
    Object.entries(keys)
      .filter(([, key]) => queries.getQueryState(key)?.isInvalidated)
      .map(([name]) => name)
  return { queries, staleNames }
}

async function staleAfter(changed: ChangedEntity[], except: string[] = []) {
  const { queries, staleNames } = cachedQueries()
  await markStale(queries, changed, { except })
  return staleNames()
}

const own = {
  device: 'device',
  group: 'group',
  media: 'media',
  playlist: 'playlist',
  play: 'plays',
  alert: 'alert',
  user: 'user',
  installation: 'installation',
}

it.each(topics)('a change of the change feed makes the queries of its entity stale: %s', async topic => {
  expect(await staleAfter([topic])).toContain({ ...own, publication: 'publication' }[topic])
})

it('a change makes stale what shows the entity and nothing else', async () => {
  expect(await staleAfter(['device'])).toEqual(['metrics', 'device', 'otherDevice', 'group'])
  expect(await staleAfter(['playlist'])).toEqual(['media', 'playlist', 'publication'])
  expect(await staleAfter(['account'])).toEqual(['account'])
})

it('a change of several entities makes stale what shows one of them', async () => {
  expect(await staleAfter(['account', 'play'])).toEqual(['account', 'metrics', 'plays'])
})

it('a change of the change feed is shown at once in lists, and less often in what sums up the fleet', async () => {
  const lists = cachedQueries()
  await markStale(lists.queries, ['device'], { lane: 'lists' })
  expect(lists.staleNames()).toEqual(['device', 'otherDevice', 'group'])
  const summaries = cachedQueries()
  await markStale(summaries.queries, ['device'], { lane: 'summaries' })
  expect(summaries.staleNames()).toEqual(['metrics'])
})

it('a change does not fetch a deleted item again', async () => {
  expect(await staleAfter(['device'], ['d1'])).toEqual(['metrics', 'otherDevice', 'group'])
})

it('a change leaves the source of a playlist to the wizard', async () => {
  expect(await staleAfter([...topics, 'account'])).not.toContain('source')
})

const contractModules = import.meta.glob<Record<string, unknown>>(
  ['../../../../packages/contract/src/*.ts', '!**/*.test.ts'],
  { eager: true },
)
const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!**/*.test.{ts,tsx}', '!../testing/**'], {
  eager: true,
  query: '?raw',
  import: 'default',
})

const isChange = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ((value as Partial<Endpoint>).outcomes?.length ?? 0) > 0
const changes = new Set(
  Object.values(contractModules).flatMap(module =>
    Object.keys(module).filter(name => isChange(module[name])),
  ),
)

/** They end a session or begin one: another user's answers are not kept. */
const ofSessions = ['../app/shell/user-menu.tsx', '../features/auth/auth-data.ts']

it('every file that sends a change marks queries as stale', () => {
  const sending = Object.entries(sources).filter(([, text]) =>
    [...text.matchAll(/\b(?:call|change|sendJson|sendParts)\(\s*(\w+)/g)].some(([, name = '']) =>
      changes.has(name),
    ),
  )
  const silent = sending.filter(
    ([, text]) => !/\b(?:useChange|changeHook|stateHook|useMarkStale|markStale)\(|<BulkDialog\b/.test(text),
  )
  expect(sending.length).toBeGreaterThan(10)
  expect(silent.map(([file]) => file)).toEqual(ofSessions)
})

it('no other file makes a query key', () => {
  const making = Object.entries(sources).filter(([, text]) => text.includes('queryKey: ['))
  expect(making.map(([file]) => file)).toEqual([])
})
