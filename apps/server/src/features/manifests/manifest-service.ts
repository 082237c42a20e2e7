import type { OpenAlert } from '@floorcast/contract/alerts.ts'
import type { DeviceProgramme } from '@floorcast/contract/device-programme.ts'
import type { AlertKind } from '@floorcast/contract/alert-kind.ts'
import { FORMER_PROTOCOL, PROTOCOL } from '@floorcast/contract/manifest.ts'
import type { Context } from '../../context.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'
import type { ClientScope } from '../../platform/database/client-scope.ts'
import { isConnectionError } from '../../platform/database/database-errors.ts'
import { Batcher } from '../../platform/lib/batcher.ts'
import { notFound } from '../../platform/lib/errors.ts'
import { alertsFor, listOpenAlerts } from '../alerts/alerts.ts'
import {
  formerManifestOf,
  makeDocument,
  type ManifestContent,
  type ManifestDocument,
  manifestOf,
  NO_GROUP,
} from './manifest-body.ts'
import { type FileName, type GroupPart, ManifestParts } from './manifest-parts.ts'
import { type DeviceRow, type MadeManifest, readDeviceRows, saveManifests } from './manifest-queries.ts'
import { secondsToStart, waveSeconds } from './manifest-waves.ts'
import { Programmes } from './programmes.ts'
import { withoutLowerUpdates } from './update-offers.ts'

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

/** Whether the row's manifest was made of these revisions and names these alerts. */
const isMadeOf = (
  row: DeviceRow,
  of: Pick<MadeManifest, 'ownRevision' | 'groupUid' | 'groupRevision' | 'clientRevision' | 'alerts'>,
) =>
  row.madeOwnRevision === of.ownRevision &&
  row.madeGroupUid === of.groupUid &&
  row.madeGroupRevision === of.groupRevision &&
  row.madeClientRevision === of.clientRevision &&
  row.madeAlerts === of.alerts

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
      // What one client's rows cause must not refuse the others.
      mayBeItemsFault: error => !isConnectionError(error),
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
    const body = await this.#readOrMake(scope, groupUid, () => this.#programmes.read(scope, sha256))
    if (!body) throw notFound()
    return body
  }

  /** Whether a device may fetch a file: one that the manifests of its group name or named. */
  async mayFetch({ clientId, groupUid }: DeviceIdentity, file: FileName): Promise<boolean> {
    const scope = this.#context.database.devices.forClient(clientId)
    return groupUid !== null && this.#parts.mayFetch(scope, groupUid, file)
  }

  /** Reads a programme. One that was purged, because no change has named it for long, is stored with the group's part again. */
  async #readOrMake<T>(
    scope: ClientScope,
    groupUid: string,
    read: () => Promise<T | null>,
  ): Promise<T | null> {
    const stored = await read()
    if (stored) return stored
    this.#parts.forget(groupUid)
    await this.#parts.newestGroup(scope, groupUid)
    return read()
  }

  /**
   * Makes a group's part ready after a change that concerns at least so many devices, of this group and of others.
   * @returns the time within which the group's devices are to fetch their manifests
   */
  async prepareGroup(clientId: string, groupUid: string, concerned: number): Promise<number> {
    const scope = this.#context.database.devices.forClient(clientId)
    return this.#waveOf(await this.#parts.certainGroup(scope, groupUid), concerned)
  }

  /**
   * The time within which a device is to fetch a manifest that has changed: that of its group. Undefined while the group's size
   * is not in memory, as after a start: it reads nothing.
   */
  fetchWithin({ groupUid }: DeviceIdentity): number | undefined {
    if (groupUid === null) return 0
    const part = this.#parts.peekGroup(groupUid)
    return part && this.#waveOf(part)
  }

  /** The hash of a group's sound for an alert, if the group's part is in memory. */
  soundOf(groupUid: string | null, kind: AlertKind): string | null {
    const part = groupUid === null ? undefined : this.#parts.peekGroup(groupUid)
    return part?.files[part.sounds.get(kind) ?? -1]?.sha256 ?? null
  }

  async drain(): Promise<void> {
    await this.#requests.drain()
  }

  #waveOf(part: GroupPart, concerned = 0): number {
    return waveSeconds(Math.max(part.deviceCount, concerned), secondsToStart(part, this.#context.now()))
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
    const alerts = await listOpenAlerts(scope.reads)
    const rows = new Map((await readDeviceRows(scope.reads, uids)).map(row => [row.uid, row]))
    const toMake = new Map<string, DeviceRow>()
    const open: ManifestRequest[] = []
    for (const request of requests) {
      const row = rows.get(request.device.deviceUid)
      if (!row) continue
      const etag = etagOf(row.etag, request.protocol)
      const named = alertsKey(alertsOf(row, alerts))
      if (etag === request.held && isMadeOf(row, { ...row, alerts: named }))
        answers.set(request, { etag, body: null })
      else {
        toMake.set(row.uid, row)
        open.push(request)
      }
    }
    const made = new Map<string, Made>()
    const groups = await this.#groupsOf(scope, [...toMake.values()])
    const groupOf = await withoutLowerUpdates(scope.reads, [...toMake.values()], groups)
    for (const row of toMake.values())
      made.set(row.uid, await this.#make(scope, row, { group: groupOf(row), alerts: alertsOf(row, alerts) }))
    const saved = await this.#save(scope, [...made.values()])
    for (const request of open) {
      const { deviceUid } = request.device
      const one = made.get(deviceUid)
      if (one && saved.has(deviceUid)) answers.set(request, await this.#sendable(scope, request, one))
    }
    return open.filter(({ device }) => !saved.has(device.deviceUid))
  }

  /** The parts of the groups of these devices, each read once: the part of a pending group holds for one batch only. */
  async #groupsOf(scope: ClientScope, rows: readonly DeviceRow[]): Promise<Map<string | null, GroupPart>> {
    const groups = new Map<string | null, GroupPart>()
    for (const { groupUid, groupRevision } of rows)
      if (groupUid !== null && !groups.has(groupUid))
        groups.set(groupUid, await this.#parts.group(scope, groupUid, groupRevision))
    return groups
  }

  async #make(
    scope: ClientScope,
    row: DeviceRow,
    { group, alerts }: { group: GroupPart | undefined; alerts: readonly OpenAlert[] },
  ): Promise<Made> {
    const { groupRevision, clientRevision } = row
    const client = await this.#parts.client(scope, clientRevision)
    const content = { device: row, client, group: group ?? NO_GROUP, alerts }
    return {
      row,
      content,
      groupRevision: group ? group.revision : groupRevision,
      clientRevision: client.revision,
      document: makeDocument(content, row),
    }
  }

  /** Saves what has changed. @returns the devices whose saved row is that of their made manifest */
  async #save(scope: ClientScope, made: readonly Made[]): Promise<Set<string>> {
    const [same, changed] = [new Set<string>(), [] as MadeManifest[]]
    for (const one of made) {
      const record = recordOf(one)
      if (one.row.etag === record.etag && isMadeOf(one.row, record)) same.add(record.deviceUid)
      else changed.push(record)
    }
    if (changed.length === 0) return same
    const saved = await scope.write(writes => saveManifests(writes, changed))
    return new Set([...same, ...saved])
  }

  async #sendable(
    scope: ClientScope,
    { held, protocol }: ManifestRequest,
    { row, content, document }: Made,
  ): Promise<ManifestAnswer> {
    const etag = etagOf(document.etag, protocol)
    if (etag === held) return { etag, body: null }
    if (protocol >= PROTOCOL) return { etag, body: document.body }
    const manifest = manifestOf(content, document.generation)
    const programmes = new Map<string, DeviceProgramme>()
    for (const { programme } of manifest.publications) {
      const read = () => this.#programmes.readParsed(scope, programme)
      const parsed = await this.#readOrMake(scope, row.groupUid ?? '', read)
      if (parsed) programmes.set(programme, parsed)
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
