import type { OpenAlert } from '@floorcast/contract/alerts.ts'
import { FORMER_PROTOCOL, PROTOCOL } from '@floorcast/contract/manifest.ts'
import type { Context } from '../../context.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'
import type { ClientScope } from '../../platform/database/client-scope.ts'
import { againWhenGivenUp } from '../../platform/database/database-errors.ts'
import { Batcher } from '../../platform/lib/batcher.ts'
import { notFound } from '../../platform/lib/errors.ts'
import { alertsFor, readOpenAlerts } from '../alerts/alerts.ts'
import {
  formerManifestOf,
  makeDocument,
  type ManifestContent,
  type ManifestDocument,
  manifestOf,
  NO_GROUP,
} from './manifest-body.ts'
import { type GroupPart, ManifestParts } from './manifest-parts.ts'
import { type DeviceRow, type MadeManifest, readDeviceRows, saveManifests } from './manifest-queries.ts'
import { secondsToStart, waveSeconds } from './manifest-waves.ts'
import { Programmes } from './programmes.ts'

/** A device asks for its manifest. */
export interface ManifestRequest {
  device: Pick<DeviceIdentity, 'clientId' | 'deviceUid'>
  /** The ETag that the device holds. */
  held: string | null
  /** Below 2: the form of protocol 1. */
  protocol: number
}

/** `body` is null if the device holds it. */
export interface ManifestAnswer {
  etag: string
  body: string | null
}

interface Made {
  row: DeviceRow
  content: ManifestContent
  /** The revisions that it was made of, which may be newer than the row's; null: the group is pending. */
  groupRevision: number | null
  clientRevision: number
  document: ManifestDocument
}

/** Requests that one batch answers. */
const MAX_BATCH = 200
/** A manifest that changes while it is made is made again. */
const MAX_ROUNDS = 3

/** The ETag of a device's manifest in the form of a protocol. */
export const etagOf = (hash: string, protocol: number) =>
  `"${protocol >= PROTOCOL ? PROTOCOL : FORMER_PROTOCOL}-${hash}"`

/** Whether a device that holds this ETag speaks protocol 1. */
export const isFormerEtag = (etag: string | null) => etag !== null && !etag.startsWith(`"${PROTOCOL}-`)

/** The open alerts that a manifest names, as one text. */
export const alertsKey = (alerts: readonly { uid: string }[]) => alerts.map(({ uid }) => uid).join(' ')

const alertsOf = ({ uid, groupUid }: DeviceRow, alerts: readonly OpenAlert[]) =>
  alertsFor({ deviceUid: uid, groupUid }, alerts)

const isMade = (row: DeviceRow, alerts: string) =>
  row.etag !== '' &&
  row.madeOwnRevision === row.ownRevision &&
  row.madeGroupUid === row.groupUid &&
  row.madeGroupRevision === row.groupRevision &&
  row.madeClientRevision === row.clientRevision &&
  row.madeAlerts === alerts

/**
 * The manifests of devices and the programmes that they name. A manifest is made when its device asks: of the client's part
 * and the group's part, which are made once for each of their revisions, and of the device's own rows. Devices that ask at the
 * same time are answered together. Only number, hash and revisions of a manifest are stored.
 */
export class Manifests {
  readonly #context: Context
  readonly #programmes = new Programmes()
  readonly #parts: ManifestParts
  readonly #requests: Batcher<ManifestRequest, ManifestAnswer | null>

  constructor(context: Context) {
    this.#context = context
    this.#parts = new ManifestParts(context, this.#programmes)
    this.#requests = new Batcher(requests => this.#answer(requests), {
      maxWaitMs: 0,
      maxBatch: MAX_BATCH,
      concurrency: 2,
      mayBeItemsFault: () => false,
    })
  }

  /** The current manifest of a device. @throws ProblemError 404 */
  async read(request: ManifestRequest): Promise<ManifestAnswer> {
    const answer = await this.#requests.add(request)
    if (!answer) throw notFound()
    return answer
  }

  /** A programme that the device's manifest names, compressed with gzip. @throws ProblemError 404 */
  async readProgramme({ clientId, groupUid }: DeviceIdentity, sha256: string): Promise<Buffer> {
    const scope = this.#context.database.devices.forClient(clientId)
    if (groupUid === null) throw notFound()
    const names = (part: GroupPart) => part.publications.some(({ programme }) => programme === sha256)
    const cached = this.#parts.peekGroup(groupUid)
    if (!cached || !names(cached)) {
      const newest = await this.#parts.newestGroup(scope, groupUid)
      if (!names(newest)) throw notFound()
    }
    const body = await this.#programmes.read(scope, sha256)
    if (body) return body
    // It was purged because no change has named it for long. To make the group's part stores it again.
    this.#parts.forget(groupUid)
    await this.#parts.newestGroup(scope, groupUid)
    const again = await this.#programmes.read(scope, sha256)
    if (!again) throw notFound()
    return again
  }

  /** Makes a group's part ready after a change. @returns the time within which its devices are to fetch their manifests */
  async prepareGroup(clientId: string, groupUid: string): Promise<number> {
    const scope = this.#context.database.devices.forClient(clientId)
    return this.#waveOf(await this.#parts.settledGroup(scope, groupUid))
  }

  /** The time within which a device is to fetch a manifest that has changed: that of its group. */
  async fetchWithin({ clientId, groupUid }: DeviceIdentity): Promise<number> {
    if (groupUid === null) return 0
    const scope = this.#context.database.devices.forClient(clientId)
    return this.#waveOf(this.#parts.peekGroup(groupUid) ?? (await this.#parts.group(scope, groupUid, 0)))
  }

  /** The hash of a group's sound for an alert, if the group's part is in memory. */
  soundOf(groupUid: string | null, kind: string): string | null {
    const part = groupUid === null ? undefined : this.#parts.peekGroup(groupUid)
    const sound = [...(part?.sounds ?? [])].find(([of]) => of === kind)
    return sound ? (part?.files[sound[1]]?.sha256 ?? null) : null
  }

  async drain(): Promise<void> {
    await this.#requests.drain()
  }

  #waveOf(part: GroupPart): number {
    return waveSeconds(part.deviceCount, secondsToStart(part, this.#context.now()))
  }

  async #answer(requests: readonly ManifestRequest[]): Promise<(ManifestAnswer | null)[]> {
    const answers = new Map<ManifestRequest, ManifestAnswer>()
    for (const [clientId, some] of Map.groupBy(requests, ({ device }) => device.clientId)) {
      const scope = this.#context.database.devices.forClient(clientId)
      let open = some
      for (let round = 1; open.length > 0 && round <= MAX_ROUNDS; round += 1)
        open = await this.#answerSome(scope, open, answers)
    }
    return requests.map(request => answers.get(request) ?? null)
  }

  /** @returns the requests whose manifest changed while it was made */
  async #answerSome(
    scope: ClientScope,
    requests: readonly ManifestRequest[],
    answers: Map<ManifestRequest, ManifestAnswer>,
  ): Promise<ManifestRequest[]> {
    const uids = [...new Set(requests.map(({ device }) => device.deviceUid))]
    // The list is read before the rows, so that an alert that begins meanwhile makes the manifest stale.
    const alerts = await readOpenAlerts(scope.reads)
    const rows = new Map((await readDeviceRows(scope.reads, uids)).map(row => [row.uid, row]))
    const toMake = new Map<string, DeviceRow>()
    const open: ManifestRequest[] = []
    for (const request of requests) {
      const row = rows.get(request.device.deviceUid)
      if (!row) continue
      const etag = etagOf(row.etag, request.protocol)
      if (etag === request.held && isMade(row, alertsKey(alertsOf(row, alerts))))
        answers.set(request, { etag, body: null })
      else {
        toMake.set(row.uid, row)
        open.push(request)
      }
    }
    const made = new Map<string, Made>()
    for (const row of toMake.values()) made.set(row.uid, await this.#make(scope, row, alertsOf(row, alerts)))
    const saved = await this.#save(scope, [...made.values()])
    for (const request of open) {
      const { deviceUid } = request.device
      const one = made.get(deviceUid)
      if (one && saved.has(deviceUid)) answers.set(request, await this.#sendable(scope, request, one))
    }
    return open.filter(({ device }) => !saved.has(device.deviceUid))
  }

  async #make(scope: ClientScope, row: DeviceRow, alerts: readonly OpenAlert[]): Promise<Made> {
    const { groupUid, groupRevision, clientRevision } = row
    const client = await this.#parts.client(scope, clientRevision)
    const group = groupUid === null ? null : await this.#parts.group(scope, groupUid, groupRevision)
    const content = { device: row, client, group: group ?? NO_GROUP, alerts }
    return {
      row,
      content,
      groupRevision: group === null ? groupRevision : group.revision,
      clientRevision: client.revision,
      document: makeDocument(content, row),
    }
  }

  /** Saves what has changed. @returns the devices whose saved row is that of their made manifest */
  async #save(scope: ClientScope, made: readonly Made[]): Promise<Set<string>> {
    const records = made.map(recordOf)
    const changed = records.filter((record, index) => {
      const row = made[index]?.row
      return row?.etag !== record.etag || !isMadeOf(row, record)
    })
    if (changed.length === 0) return new Set(records.map(({ deviceUid }) => deviceUid))
    const saved = await againWhenGivenUp(() => scope.write(writes => saveManifests(writes, changed)))
    const lost = new Set(
      changed.filter(({ deviceUid }) => !saved.has(deviceUid)).map(record => record.deviceUid),
    )
    return new Set(records.map(({ deviceUid }) => deviceUid).filter(uid => !lost.has(uid)))
  }

  async #sendable(
    scope: ClientScope,
    { held, protocol }: ManifestRequest,
    { content, document }: Made,
  ): Promise<ManifestAnswer> {
    const etag = etagOf(document.etag, protocol)
    if (etag === held) return { etag, body: null }
    if (protocol >= PROTOCOL) return { etag, body: document.body }
    const manifest = manifestOf(content, document.generation)
    const programmes = []
    for (const { programme } of manifest.publications) {
      const parsed = await this.#programmes.readParsed(scope, programme)
      if (parsed) programmes.push(parsed)
    }
    return { etag, body: JSON.stringify({ data: formerManifestOf(manifest, programmes) }) }
  }
}

const recordOf = ({ row, content, groupRevision, clientRevision, document }: Made): MadeManifest => ({
  deviceUid: row.uid,
  formerGeneration: row.generation,
  generation: document.generation,
  etag: document.etag,
  ownRevision: row.ownRevision,
  groupUid: row.groupUid,
  groupRevision,
  clientRevision,
  alerts: alertsKey(content.alerts),
})

const isMadeOf = (row: DeviceRow, record: MadeManifest) =>
  row.madeOwnRevision === record.ownRevision &&
  row.madeGroupUid === record.groupUid &&
  row.madeGroupRevision === record.groupRevision &&
  row.madeClientRevision === record.clientRevision &&
  row.madeAlerts === record.alerts
