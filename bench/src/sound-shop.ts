import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildPath } from '@floorcast/contract/client.ts'
import { changeProfileState, editProfile } from '@floorcast/contract/device-profiles.ts'
import { addGroup, changeGroupState } from '@floorcast/contract/groups.ts'
import { type MediaType, uploadMedia } from '@floorcast/contract/media.ts'
import { addPlaylist, addTrack, changePlaylistState, editPlaylist } from '@floorcast/contract/playlists.ts'
import { addPublication, changePublicationState } from '@floorcast/contract/publications.ts'
import { addDevices } from './chain-fill.ts'
import { type FleetFixture, openFleetFixture } from './fleet-fixture.ts'
import { endWithThisProcess } from './server-process.ts'

const agentProgram = resolve(import.meta.dirname, '../../apps/agent/src/main.ts')
/** The code of a publication that was turned off. */
const TURNED_OFF = 9
const MAX_WAIT_MS = 60_000
const POLL_MS = 50

const doneOf = ({ code, uid = '' }: { code: string | number; uid?: string | undefined }) => {
  if (Number(code) !== 200 && Number(code) !== 0) throw new Error(`A call ended in ${code}`)
  return uid
}

/** What is on the air: its publication, and the instant at which its loop began, in milliseconds since 1970. */
export interface OnAir {
  uid: string
  startedAt: number
}

/** A shop with one device: the server's process with PostgreSQL, and the agent's process, which plays to `environment`'s sound card. */
export class SoundShop {
  readonly fixture: FleetFixture
  readonly dataDir: string
  readonly #groupUid: string
  readonly #agent: ChildProcess
  #number = 0

  private constructor(
    fixture: FleetFixture,
    parts: { dataDir: string; groupUid: string; agent: ChildProcess },
  ) {
    this.fixture = fixture
    this.dataDir = parts.dataDir
    this.#groupUid = parts.groupUid
    this.#agent = parts.agent
  }

  static async open(args: readonly string[], environment: Record<string, string>): Promise<SoundShop> {
    const fixture = await openFleetFixture(args)
    const { call, clientId, superuser, folder } = fixture
    const params = { contentType: 'audio' } as const
    const groupUid = doneOf(await call(addGroup, { params, body: { name: 'The shop' } }))
    doneOf(await call(changeGroupState, { params: { id: groupUid } }))
    const [device] = await addDevices(superuser, { clientId, groupUid, count: 1 })
    const dataDir = join(folder, 'agent')
    const agent = spawn(
      process.execPath,
      [
        agentProgram,
        `--server=${fixture.deviceOrigin}`,
        `--key=${device?.licenseKey ?? ''}`,
        `--data=${dataDir}`,
        '--audio=pulse',
        '--heartbeat=10',
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } },
    )
    endWithThisProcess(agent)
    const log = createWriteStream(join(folder, 'agent.log'))
    for (const stream of [agent.stdout, agent.stderr]) stream?.pipe(log, { end: false })
    const shop = new SoundShop(fixture, { dataDir, groupUid, agent })
    await shop.profile('audio', { defaultVolume: 100, loudnessTargetLufs: null })
    return shop
  }

  /** Puts settings of a profile in force. */
  async profile(type: 'audio' | 'alert', settings: Record<string, unknown>): Promise<void> {
    const { call } = this.fixture
    const draft = { name: this.#name(type), type, settings, groupUids: [this.#groupUid] }
    const id = doneOf(await call(editProfile, { body: draft }))
    doneOf(await call(changeProfileState, { params: { id } }))
  }

  /** Uploads a file. Returns the item's uid. */
  async upload(path: string, contentType: MediaType = 'melodies'): Promise<string> {
    const { origin, token } = this.fixture
    const form = new FormData()
    form.append('file', new Blob([readFileSync(path)]), basename(path))
    const answer = await fetch(origin + buildPath(uploadMedia.path, { contentType }), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    const { data } = (await answer.json()) as { data: { code: number; uid?: string } }
    return doneOf(data)
  }

  /** Uploads files, and puts a playlist of them on the air. Resolves when the device has them all. */
  async play(paths: readonly string[], { crossfadeSeconds = 0 } = {}): Promise<OnAir> {
    const { call } = this.fixture
    const params = { contentType: 'audio' } as const
    const playlist = doneOf(await call(addPlaylist, { params, body: { name: this.#name('playlist') } }))
    doneOf(await call(editPlaylist, { body: { uid: playlist, crossfadeSeconds } }))
    for (const path of paths)
      doneOf(await call(addTrack, { params: { track: await this.upload(path), playlist } }))
    doneOf(await call(changePlaylistState, { params: { id: playlist } }))
    const body = { name: this.#name('publication'), groupUid: this.#groupUid, playlistUid: playlist }
    const uid = doneOf(await call(addPublication, { params, body }))
    doneOf(await call(changePublicationState, { params: { id: uid } }))
    await this.#until('the device holds the publication', async () => {
      const { rows } = await this.fixture.superuser.query(
        'select 1 from publication_holdings where publication_uid = $1 and missing = 0',
        [uid],
      )
      return rows.length > 0
    })
    const { rows } = await this.fixture.superuser.query<{ at: Date }>(
      'select activated_at as at from publications where uid = $1',
      [uid],
    )
    return { uid, startedAt: rows[0]?.at.getTime() ?? Number.NaN }
  }

  async takeOffAir({ uid }: OnAir): Promise<void> {
    const { code } = await this.fixture.call(changePublicationState, { params: { id: uid } })
    if (Number(code) !== TURNED_OFF) throw new Error(`The publication was not turned off: ${code}`)
  }

  async close(): Promise<void> {
    const ended = once(this.#agent, 'exit')
    this.#agent.kill('SIGTERM')
    await ended
    await this.fixture.close()
  }

  #name(of: string): string {
    this.#number += 1
    return `The ${of} ${this.#number}`
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const endsAt = performance.now() + MAX_WAIT_MS
    while (!(await isSo())) {
      if (performance.now() > endsAt) throw new Error(`Waited ${MAX_WAIT_MS / 1000} s until ${what}`)
      await pause(POLL_MS)
    }
  }
}
