import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDevice, readDevice } from '@floorcast/contract/devices.ts'
import { addPlaylist, addTrack } from '@floorcast/contract/playlists.ts'
import { publish } from '@floorcast/contract/publish.ts'
import { AgentFixture } from '@floorcast/testing/agent-process.ts'
import { collectComplaints, sharedBrowser } from '@floorcast/testing/browser.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { makeSong, writeSongs } from '@floorcast/testing/media-song.ts'
import { asSuperuser, cloneDatabase } from '@floorcast/testing/test-database.ts'
import type { BrowserContext, Page } from 'playwright-core'
import { countClicks, takeClicks } from './click-count.ts'
import { assertCode, createdUid, signInUser, type SignedInClient, uploadFile } from './client-fixture.ts'
import { type Program, type RunningServer, runAgent, startDemonstration, waitUntil } from './processes.ts'

export const HEARTBEAT_SECONDS = 2
export const SONG_SECONDS = 7
export const CORNER = { shops: 3, group: 'Corner shops', music: 'Corner music', evening: 'Corner evening' }
export const OFFER = 'Corner offer'

/** A shop whose player is a real agent with a log. */
export interface RealShop {
  name: string
  uid: string
  log: AgentFixture
  program: Program
}

/** A user at the console whose clicks are counted. */
export interface CountedUser {
  page: Page
  complaints: string[]
  /** Starts the count, on the page that signing in leads to. */
  begin: () => Promise<void>
  /** The clicks since `begin`. */
  takeClicks: () => Promise<number>
}

/** The demonstration of `npm start -- --demo`, with a group of real players beside its simulated shops. */
export class Demonstration {
  readonly #server: RunningServer
  readonly folder: string
  readonly client: SignedInClient
  readonly superuserUrl: string
  readonly shops: RealShop[] = []
  readonly #account: { email: string; password: string }
  readonly #contexts: BrowserContext[] = []

  private constructor(parts: {
    server: RunningServer
    folder: string
    client: SignedInClient
    superuserUrl: string
    account: { email: string; password: string }
  }) {
    this.#server = parts.server
    this.folder = parts.folder
    this.client = parts.client
    this.superuserUrl = parts.superuserUrl
    this.#account = parts.account
  }

  static async start(): Promise<Demonstration> {
    const folder = await mkdtemp(join(tmpdir(), 'floorcast-daily-'))
    const { url, superuserUrl } = await cloneDatabase()
    const env = { DATABASE_URL: url, LOG_LEVEL: 'warn' }
    const server = await startDemonstration(await freePort(), join(folder, 'server'), env)
    const readAccount = () => /Sign in as (\S+) with the password (\S+)/.exec(server.output.join(''))
    await waitUntil('the demonstration is filled', async () => readAccount() !== null, 240)
    const [, email = '', password = ''] = readAccount() ?? []
    const account = { email, password }
    const client = await signInUser(server.url, account)
    const demonstration = new Demonstration({ server, folder, client, superuserUrl, account })
    await demonstration.#openCornerShops().catch(async (error: unknown) => {
      await demonstration.stop()
      throw error
    })
    return demonstration
  }

  get url(): string {
    return this.#server.url
  }

  /** Three shops with real players, which play music; and a paused playlist with an ad. */
  async #openCornerShops(): Promise<void> {
    const { call } = this.client
    const params = { contentType: 'audio' } as const
    const songs = await writeSongs(this.folder, { count: 3, seconds: SONG_SECONDS })
    const tracks = await Promise.all(songs.map(({ path }) => uploadFile(this.client, 'melodies', path)))
    const offer = join(this.folder, `${OFFER}.mp3`)
    await writeFile(offer, makeSong({ notes: [5, 1, 6], seconds: 4 }))
    const offerUid = await uploadFile(this.client, 'ads', offer)
    const makePlaylist = async (name: string, uids: readonly string[]) => {
      const playlist = createdUid(await call(addPlaylist, { params, body: { name } }))
      for (const track of uids) assertCode(await call(addTrack, { params: { track, playlist } }), 200)
      return playlist
    }
    const music = await makePlaylist(CORNER.music, tracks)
    await makePlaylist(CORNER.evening, [...tracks.slice(0, 1), offerUid])
    const names = Array.from({ length: CORNER.shops }, (_, n) => `Corner shop ${n + 1}`)
    const uids: string[] = []
    for (const name of names) uids.push(createdUid(await call(addDevice, { params, body: { name } })))
    const newGroup = { name: CORNER.group, devices: { uids } }
    assertCode(await call(publish, { body: { playlistUid: music, newGroup } }), 0)
    for (const [n, uid] of uids.entries()) {
      const { licenseKey: key } = await call(readDevice, { params: { id: uid } })
      const dataDir = join(this.folder, `agent-${n + 1}`)
      const run = { url: this.url, key: key ?? '', dataDir }
      const program = runAgent(run, ['--heartbeat', String(HEARTBEAT_SECONDS)])
      this.shops.push({ name: names[n] ?? '', uid, log: new AgentFixture(dataDir), program })
    }
    const hasPlayed = async () => this.shops.every(({ log }) => log.countPlays() > 0)
    await waitUntil('the real players have played a track', hasPlayed)
  }

  shop(place: number): RealShop {
    const shop = this.shops[place]
    if (!shop) throw new Error(`There is no real shop ${place}`)
    return shop
  }

  /** Signs in by the form. */
  async signIn(account = this.#account): Promise<CountedUser> {
    const browser = await sharedBrowser()
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    })
    this.#contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const complaints = collectComplaints(page)
    await countClicks(page)
    await page.goto(this.url)
    await page.getByLabel('Email').fill(account.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(account.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const arrived = () => page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await arrived()
    const begin = async () => {
      if (!page.url().endsWith('/home/overview')) await page.goto(`${this.url}/home/overview`)
      await arrived()
      await takeClicks(page)
    }
    return { page, complaints, begin, takeClicks: () => takeClicks(page) }
  }

  query<Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> {
    return asSuperuser(this.superuserUrl, async superuser => {
      const { rows } = await superuser.query<Row>(statement, values)
      return rows
    })
  }

  async stop(): Promise<void> {
    for (const context of this.#contexts) await context.close()
    for (const { program } of this.shops) await program.stop()
    await this.#server.stop()
    await rm(this.folder, { recursive: true, force: true })
  }
}
