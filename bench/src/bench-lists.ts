import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@floorcast/server/platform/database/database.ts'
import { migrateDatabase } from '@floorcast/server/platform/database/migrations.ts'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { Pool } from 'pg'
import type { Bench, Figure } from './bench-types.ts'
import { fillClients, LARGE, SMALL, type Size, TENTH } from './lists-fill.ts'
import { openClient } from './open-client.ts'
import { percentile } from './percentile.ts'
import { startServer } from './server-process.ts'

const SMALL_CLIENTS = 50
const WARM_ROUNDS = 15
const ROUNDS = 120

/** The calls of one list: paths after its `qlist`, and its card's path. */
interface List {
  name: string
  path: string
  card: string
  /** Two words that a handful of items have, however many items there are. */
  few: string
  /** Two words that a fixed part of the items have. */
  many: string
  /** Two words without the accents that a fixed part of the items have. */
  accents: string
}

const LISTS: readonly List[] = [
  {
    name: 'devices',
    path: '/api/v2/device/qlist',
    card: '/device/qcard/',
    few: 'berlin 0042',
    many: 'berlin radio',
    accents: 'munchen cafe',
  },
  {
    name: 'media',
    path: '/melodies/qlist',
    card: '/melodies/qcard/',
    few: 'golden 0042',
    many: 'golden river',
    accents: 'decouverte river',
  },
  {
    name: 'playlists',
    path: '/playlist/qlist/all',
    card: '/playlist/qcard/',
    few: 'golden "mix 004"',
    many: 'golden berlin',
    accents: 'decouverte munchen',
  },
]

const asksOf = ({ path, few, many, accents }: List): Record<string, string> => ({
  First: path,
  Page500: `${path}?page=500`,
  Name: `${path}?sort=name`,
  Name500: `${path}?sort=name&dir=desc&page=500`,
  Search: `${path}?search=${encodeURIComponent(few)}`,
  Many: `${path}?search=${encodeURIComponent(many)}&sort=name`,
  Accents: `${path}?search=${encodeURIComponent(accents)}&sort=name`,
})

/** The device list by filters that are no index's order, and the values that two filters offer. */
async function filterPaths(origin: string, token: string): Promise<Record<string, string>> {
  const list = async (path: string) => (await ask(origin, token, path)).body.data.items ?? []
  const groups = await list('/group/qlist/all?sort=name&size=3')
  const [publication] = await list('/deploy/qlist/all?sort=name&size=1')
  const path = '/api/v2/device/qlist?sort=name'
  return {
    Groups: `${path}&group=${groups.map(({ uid }) => uid).join(',')}`,
    Playlist: `${path}&playlist=${publication?.playlist?.uid ?? ''}`,
    NoPlaylist: `${path}&playlist=none`,
    Files: `${path}&files=missing`,
    Version: `${path}&version=2.1.0,none`,
    Late: `${path}&connectivity=linkdown,late`,
    VersionValues: '/api/v2/device/filtervalues/version',
    GroupValues: '/api/v2/device/filtervalues/group?search=munchen',
    PlaylistValues: '/api/v2/device/filtervalues/playlist?search=decouverte',
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

interface Answer {
  body: { data: { items?: { uid: string; playlist?: { uid: string } }[]; total?: number } }
  millis: number
}

function ask(origin: string, token: string, path: string): Promise<Answer> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    get(`${origin}${path}`, { agent, headers }, answer => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (answer.statusCode !== 200) return reject(new Error(`${path}: ${answer.statusCode} ${text}`))
        return resolve({ body: JSON.parse(text) as Answer['body'], millis: performance.now() - startedAt })
      })
    }).on('error', reject)
  })
}

interface Asked {
  figure: string
  largePath: string
  tenthPath: string
  /** True if the bench also reports the number of hits. */
  isSearch?: boolean
}

/** Calls the large client and the tenth client in turns, so that other load of the machine affects both. */
async function compare(origin: string, tokens: { large: string; tenth: string }, asked: Asked) {
  const times = { large: [] as number[], tenth: [] as number[] }
  const found = { large: 0, tenth: 0 }
  for (let round = -WARM_ROUNDS; round < ROUNDS; round++) {
    const large = await ask(origin, tokens.large, asked.largePath)
    const tenth = await ask(origin, tokens.tenth, asked.tenthPath)
    if (round < 0) continue
    times.large.push(large.millis)
    times.tenth.push(tenth.millis)
    found.large = large.body.data.total ?? 0
    found.tenth = tenth.body.data.total ?? 0
  }
  const [large, tenth] = [times.large, times.tenth].map(each => each.toSorted((a, b) => a - b))
  const values = {
    [`${asked.figure}P50`]: percentile(large ?? [], 0.5),
    [`${asked.figure}P95`]: percentile(large ?? [], 0.95),
    [`${asked.figure}Growth`]: percentile(large ?? [], 0.5) / percentile(tenth ?? [], 0.5),
    ...(asked.isSearch
      ? { [`${asked.figure}Found`]: found.large, [`${asked.figure}FoundGrowth`]: found.large / found.tenth }
      : {}),
  }
  console.error(
    Object.entries(values)
      .map(([name, value]) => `${name} ${value.toFixed(2)}`)
      .join('  '),
  )
  return values
}

async function measure(origin: string, tokens: { large: string; tenth: string }) {
  const values: Record<string, number> = {}
  for (const list of LISTS) {
    for (const [name, path] of Object.entries(asksOf(list)))
      Object.assign(
        values,
        await compare(origin, tokens, {
          figure: `${list.name}${name}`,
          largePath: path,
          tenthPath: path,
          isSearch: path.includes('?search='),
        }),
      )
    const cardOf = async (token: string) => {
      const { body } = await ask(origin, token, `${list.path}?sort=name&page=3`)
      const uid = body.data.items?.[0]?.uid ?? ''
      return `${list.card}${uid}${list.name === 'playlists' ? '/quick' : ''}`
    }
    const [largePath, tenthPath] = [await cardOf(tokens.large), await cardOf(tokens.tenth)]
    Object.assign(values, await compare(origin, tokens, { figure: `${list.name}Card`, largePath, tenthPath }))
  }
  const [large, tenth] = [await filterPaths(origin, tokens.large), await filterPaths(origin, tokens.tenth)]
  for (const [name, largePath] of Object.entries(large)) {
    const asked = { figure: `devices${name}`, largePath, tenthPath: tenth[name] ?? '' }
    Object.assign(values, await compare(origin, tokens, asked))
  }
  return values
}

async function fill(addresses: { url: string; superuserUrl: string }) {
  const database = openDatabase({ url: addresses.url, lost: () => undefined })
  const superuser = new Pool({ connectionString: addresses.superuserUrl, max: 1 })
  superuser.on('error', () => undefined)
  try {
    const sizes: Size[] = [LARGE, TENTH, ...Array<Size>(SMALL_CLIENTS).fill(SMALL)]
    const clients: { clientId: string; size: Size; token: string }[] = []
    for (const size of sizes) clients.push({ ...(await openClient(database)), size })
    await fillClients(superuser, clients)
    return { large: clients[0]?.token ?? '', tenth: clients[1]?.token ?? '' }
  } finally {
    await Promise.all([database.close(), superuser.end()])
  }
}

async function run(): Promise<Record<string, number>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir })
  try {
    await migrateDatabase(postgres.url)
    const superuserUrl = Object.assign(new URL(postgres.superuserUrl), { pathname: '/floorcast' }).href
    console.error('Filling: a few minutes')
    const tokens = await fill({ url: postgres.url, superuserUrl })
    const server = await startServer(join(dataDir, 'server'), postgres.url)
    try {
      return await measure(server.url, tokens)
    } finally {
      agent.destroy()
      await server.stop()
    }
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const WORDS: Record<string, string> = {
  First: 'first page',
  Page500: 'page 500',
  Name: 'by name',
  Name500: 'by name backwards, page 500',
  Search: 'two terms that a handful have',
  Many: 'two terms that ten times as many have, by name',
  Accents: 'two terms without their accents that ten times as many have, by name',
  Card: 'card',
}

const FILTERS: Record<string, string> = {
  Groups: 'of three groups',
  Playlist: 'with a playlist on the air',
  NoPlaylist: 'with nothing on the air',
  Files: 'that miss files',
  Version: 'of two versions',
  Late: 'late or offline',
  VersionValues: 'versions with their devices',
  GroupValues: 'groups found by name',
  PlaylistValues: 'playlists found by name',
}

/** Figures that grow with the client by nature have no goal for their growth: the tenth has no page 500, or a tenth of the hits. */
const growsByNature = (list: string, figure: string) =>
  figure === 'Many' || figure === 'Accents' || (list === 'playlists' && figure.endsWith('500'))

/** The number of hits of a search, and its ratio to the hits in the tenth client. */
const foundFigures = (name: string, figure: string, words: string): [string, Figure][] => [
  [`${name}${figure}Found`, { what: `${name}, ${words}: found`, unit: '' }],
  [`${name}${figure}FoundGrowth`, { what: `${name}, ${words}: found beside a tenth of the size`, unit: '×' }],
]

const figures = LISTS.flatMap(({ name }) =>
  Object.entries(WORDS).flatMap(([figure, words]): [string, Figure][] => [
    [`${name}${figure}P50`, { what: `${name}, ${words}: p50`, unit: 'ms' }],
    [`${name}${figure}P95`, { what: `${name}, ${words}: p95`, unit: 'ms', atMost: 50 }],
    [
      `${name}${figure}Growth`,
      {
        what: `${name}, ${words}: p50 beside a tenth of the size`,
        unit: '×',
        ...(growsByNature(name, figure) ? {} : { atMost: 1.5 }),
      },
    ],
    ...(['Search', 'Many', 'Accents'].includes(figure) ? foundFigures(name, figure, words) : []),
  ]),
)

/** They read every device: their goal is a time, not a growth. */
const filterFigures = Object.entries(FILTERS).flatMap(([figure, words]): [string, Figure][] => [
  [`devices${figure}P50`, { what: `devices, ${words}: p50`, unit: 'ms' }],
  [`devices${figure}P95`, { what: `devices, ${words}: p95`, unit: 'ms', atMost: 250 }],
  [`devices${figure}Growth`, { what: `devices, ${words}: p50 beside a tenth of the size`, unit: '×' }],
])

const bench: Bench = {
  name: 'lists',
  what: '100,000 devices, 200,000 media items, 20,000 playlists of one client beside a tenth of it and 50 small clients, over HTTP',
  figures: Object.fromEntries([...figures, ...filterFigures]),
  run,
}
export default bench
