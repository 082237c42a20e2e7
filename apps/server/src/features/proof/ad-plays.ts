import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import type { PlayReads } from '../archive/archive.ts'
import { type DeviceFacts, readFacts } from './device-facts.ts'
import { type AdPlays, type Audiences, findMedia, type ProvenMedia, sumAdPlays } from './proof-queries.ts'

/** A device as a proof names it. */
export type ProvenShop = Pick<DeviceFacts, 'storeNumber' | 'storeZone' | 'place'> & { name: string }

const toArray = (audience: readonly number[] | null | undefined) => (audience ? `{${audience.join()}}` : null)

/** The ad plays and gross impressions of an ad by day, which equal those of its signed proof, and the devices. */
export class AdPlaysByDay {
  readonly shops: ReadonlyMap<string, ProvenShop>
  /** Undefined: nothing of it is left. */
  readonly media: ProvenMedia | undefined
  readonly hasAudience: boolean
  readonly #zone: string
  readonly #devices: Audiences
  readonly #mediaUid: string

  private constructor(
    asked: { mediaUid: string; zone: string },
    read: Pick<AdPlaysByDay, 'shops' | 'media'> & { devices: Audiences },
  ) {
    this.#mediaUid = asked.mediaUid
    this.#zone = asked.zone
    this.shops = read.shops
    this.media = read.media
    this.#devices = read.devices
    this.hasAudience = [...read.devices.audiences, read.devices.client.audience].some(one => one !== null)
  }

  /** Reads the devices and their tags. `zone`: an IANA zone, or `device`. */
  static async open(reads: PlayReads, asked: { mediaUid: string; zone: string }): Promise<AdPlaysByDay> {
    const { devices: found, facts, nobody } = await readFacts(reads, asked.zone)
    const shops = new Map<string, ProvenShop>()
    for (const { uid, name } of found) {
      const { storeNumber = '', storeZone = null, place = '' } = facts.get(uid) ?? {}
      shops.set(uid, { name, storeNumber, storeZone, place })
    }
    const devices = {
      uids: found.map(({ uid }) => uid),
      zones: found.map(({ uid }) => facts.get(uid)?.timeZone ?? 'UTC'),
      audiences: found.map(({ uid }) => toArray(facts.get(uid)?.audience)),
      client: { zone: nobody.timeZone, audience: toArray(nobody.audience) },
    }
    return new AdPlaysByDay(asked, { shops, devices, media: await findMedia(reads, asked.mediaUid) })
  }

  /** Counts the plays of one publication, or of all but some, on some days, both inclusive. */
  count(
    reads: PlayReads,
    by: { publication: string } | { noneOf: readonly string[] },
    { from, to }: { from: string; to: string },
  ): Promise<AdPlays[]> {
    const proven = { mediaUid: this.#mediaUid, from, to, isByLocalDay: this.#zone === DEVICE_ZONES }
    return sumAdPlays(reads, proven, { by, devices: this.#devices })
  }
}
