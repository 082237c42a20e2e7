import { openAsBlob } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  buildPath,
  type Client,
  makeClient,
  parseRetryAfter,
  toCallError,
} from '@floorcast/contract/client.ts'
import * as deployments from '@floorcast/contract/publications.ts'
import * as devices from '@floorcast/contract/devices.ts'
import * as groups from '@floorcast/contract/groups.ts'
import { editMedia, uploadMedia } from '@floorcast/contract/media.ts'
import { isSuccess, type Outcome } from '@floorcast/contract/outcomes.ts'
import * as playlists from '@floorcast/contract/playlists.ts'
import type { AlertKind } from '@floorcast/contract/alert-kind.ts'
import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { authenticate, endSession, register } from '@floorcast/contract/auth.ts'
import { addDeployPackage } from '@floorcast/contract/deploy-packages.ts'
import { changeProfileState, editProfile } from '@floorcast/contract/device-profiles.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import { importTags } from '@floorcast/contract/tag-calls.ts'
import { addChannel } from '@floorcast/contract/update-channels.ts'
import { addPackage } from '@floorcast/contract/update-packages.ts'
import { importSmartPlaylist } from '@floorcast/contract/smart-playlists.ts'
import { planFreely } from '@floorcast/planner/plan.ts'
import type { SampleFile } from '@floorcast/sample-media/sample-media.ts'
import { z } from 'zod'
import type { DemoContent, DemoShow, SimpleShow, SmartShow } from './demo-content.ts'
import type { Trouble } from './demo-trouble.ts'

/** An uploaded file: its uid and its length in seconds. */
export interface DemoMedia {
  uid: string
  duration: number
}

/** A shop of the demonstration. */
export interface DemoShop {
  name: string
  storeNumber: string
  tags: Readonly<Record<string, string>>
  /** What is wrong with it. */
  trouble?: Trouble
}

export interface DemoDevice extends DemoShop {
  uid: string
  licenseKey: string
  groupUid: string
}

/** Answers of a server on a busy machine: too slow, too many, later. */
const BUSY = new Set([408, 429, 503])
const MAX_TRIES = 5

/**
 * Sends a request again that got no answer (the server may close an idle connection just as it goes out) or that the
 * server was too busy for.
 */
const sendAgain: typeof fetch = async (url, request) => {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(url, request).catch((error: unknown) => {
      if (tries === MAX_TRIES) throw error
      return null
    })
    if (response && (tries === MAX_TRIES || !BUSY.has(response.status))) return response
    await sleep((parseRetryAfter(response?.headers.get('retry-after')) ?? 1) * 1000)
  }
}

/** The user of the demonstration. It calls the API over HTTP, as the console does. */
export class DemoClient {
  readonly #origin: string
  readonly #token: string
  readonly #call: Client

  private constructor(origin: string, token: string) {
    this.#origin = origin
    this.#token = token
    this.#call = makeClient({ base: origin, token: () => token, fetch: sendAgain })
  }

  /** Registers the demonstration's client. */
  static async register(
    origin: string,
    account: { email: string; password: string; fullName: string },
  ): Promise<DemoClient> {
    const call = makeClient({ base: origin, token: () => null })
    const { token } = await call(register, { body: { ...account, terms: true } })
    return new DemoClient(origin, token)
  }

  /** Uploads a file of the demonstration. The title in a song's file is the song's name in English. */
  async upload({ contentType, name: sample, url }: SampleFile, name: string): Promise<DemoMedia> {
    const form = new FormData()
    form.append('file', await openAsBlob(url), name)
    const answer = await sendAgain(this.#origin + buildPath(uploadMedia.path, { contentType }), {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}` },
      body: form,
    })
    if (!answer.ok) throw await toCallError(answer)
    const { data } = z.object({ data: uploadMedia.answer }).parse(await answer.json())
    const uid = made(data, name)
    if (contentType === 'melodies' && name !== sample) {
      const body = { uid, title: name.replace(/\.\w+$/, '') }
      done(await this.#call(editMedia, { params: { contentType }, body }), name)
    }
    return { uid, duration: data.durationSeconds ?? 0 }
  }

  /** Signs in again, on another server. */
  static async signIn(origin: string, body: { email: string; password: string }): Promise<DemoClient> {
    const { token } = await makeClient({ base: origin, token: () => null })(authenticate, { body })
    return new DemoClient(origin, token)
  }

  /** Adds an active group with its shops and their tags. @returns its uid and its devices */
  async makeGroup(
    kind: Kind,
    { name, description, shops }: { name: string; description: string; shops: readonly DemoShop[] },
  ): Promise<{ groupUid: string; devices: DemoDevice[] }> {
    const params = { contentType: kind }
    const groupUid = made(await this.#call(groups.addGroup, { params, body: { name, description } }), name)
    const added: DemoDevice[] = []
    for (const shop of shops) {
      const body = { name: shop.name, storeNumber: shop.storeNumber }
      const uid = made(await this.#call(devices.addDevice, { params, body }), shop.name)
      const { licenseKey } = await this.#call(devices.readDevice, { params: { id: uid } })
      if (licenseKey) added.push({ ...shop, uid, licenseKey, groupUid })
      done(await this.#call(groups.addToGroup, { params: { device: uid, group: groupUid } }), shop.name)
    }
    const tags = added.flatMap(({ uid, tags: ofShop }) =>
      Object.entries(ofShop).map(([key, value]) => ({ contentType: 'device' as const, uid, key, value })),
    )
    done(await this.#call(importTags, { body: tags }), name)
    done(
      await this.#call(groups.changeGroupState, { params: { id: groupUid }, query: { from: 'paused' } }),
      name,
    )
    return { groupUid, devices: added }
  }

  /** Adds an active profile for these groups. */
  async makeProfile(profile: DemoContent['profiles'][number], groupUids: string[]): Promise<void> {
    const id = made(await this.#call(editProfile, { body: { ...profile, groupUids } }), profile.name)
    done(await this.#call(changeProfileState, { params: { id }, query: { from: 'paused' } }), profile.name)
  }

  /** Adds a package that is still a draft, and its publication on a channel of a group, which waits for it. */
  async makeUpdate({ name, version, channel }: DemoContent['update'], groupUid: string): Promise<void> {
    const body = { name, version, category: 'Program' } as const
    const packageUid = made(await this.#call(addPackage, { body }), name)
    const channelUid = made(
      await this.#call(addChannel, { body: { name: channel, groupUids: [groupUid] } }),
      channel,
    )
    done(await this.#call(addDeployPackage, { body: { packageUid, channelUid } }), name)
  }

  /** Begins a drill in a group. @returns its uid */
  async beginDrill(groupUid: string, kind: AlertKind): Promise<string> {
    const params = { uid: groupUid, alerttype: kind }
    return made(await this.#call(beginAlert, { params, query: { drill: '1' } }), kind)
  }

  async endDrill(groupUid: string, kind: AlertKind): Promise<void> {
    done(await this.#call(endAlert, { params: { uid: groupUid, alerttype: kind } }), kind)
  }

  /** Ends its session. */
  async signOut(): Promise<void> {
    await this.#call(endSession, {})
  }

  /** Adds an active playlist of uploaded files. @returns its uid */
  async makePlaylist({ kind, playlist }: DemoShow, media: ReadonlyMap<string, DemoMedia>): Promise<string> {
    const uid =
      playlist.form === 'smart'
        ? await this.#planPlaylist(playlist, media)
        : await this.#makeSimple(kind, playlist, media)
    done(
      await this.#call(playlists.changePlaylistState, { params: { id: uid }, query: { from: 'paused' } }),
      playlist.name,
    )
    return uid
  }

  /** Plans a day, as the wizard does, and imports it. */
  async #planPlaylist(
    { name, description, melodies, ads, melTime, adsTime }: SmartShow,
    media: ReadonlyMap<string, DemoMedia>,
  ): Promise<string> {
    const listOf = (names: readonly string[]) => names.flatMap(track => media.get(track) ?? [])
    const draft = {
      playlistType: 'audio-smart' as const,
      startDay: '00:00',
      endDay: '23:59',
      melTime,
      adsTime,
      melMode: 'manual' as const,
      adsMode: 'auto' as const,
      melList: listOf(melodies),
      adsList: listOf(ads),
      seed: 1,
    }
    const { blocks: finishList } = planFreely({ ...draft, type: draft.playlistType })
    const body = { ...draft, smartPlName: name, smartPlDescr: description, finishList }
    return made(await this.#call(importSmartPlaylist, { body }), name)
  }

  async #makeSimple(
    kind: DemoShow['kind'],
    { name, description, crossfadeSeconds, tracks }: SimpleShow,
    media: ReadonlyMap<string, DemoMedia>,
  ): Promise<string> {
    const body = { name, description }
    const uid = made(await this.#call(playlists.addPlaylist, { params: { contentType: kind }, body }), name)
    for (const track of tracks)
      done(
        await this.#call(playlists.addTrack, {
          params: { track: media.get(track)?.uid ?? '', playlist: uid },
        }),
        track,
      )
    done(await this.#call(playlists.editPlaylist, { body: { uid, crossfadeSeconds } }), name)
    return uid
  }

  /** Binds a playlist to a group and turns it on, now or at a wall time in each device's zone. */
  async publish(
    { kind }: DemoShow,
    publication: { name: string; groupUid: string; playlistUid: string; startsAt?: string },
  ): Promise<void> {
    const { startsAt, ...body } = publication
    const uid = made(
      await this.#call(deployments.addPublication, { params: { contentType: kind }, body }),
      body.name,
    )
    const turned = startsAt
      ? await this.#call(deployments.delayPublication, { params: { uid, startdatetime: startsAt } })
      : await this.#call(deployments.changePublicationState, {
          params: { id: uid },
          query: { from: 'disabled' },
        })
    done(turned, body.name)
  }
}

/** @throws Error if a rule of the server refuses the call */
function done({ code, reason }: Outcome, name: string): void {
  if (!isSuccess(code)) throw new Error(`The demonstration could not make '${name}': ${code} ${reason ?? ''}`)
}

function made(outcome: Outcome, name: string): string {
  done(outcome, name)
  if (!outcome.uid) throw new Error(`The server did not say the uid of '${name}'`)
  return outcome.uid
}
