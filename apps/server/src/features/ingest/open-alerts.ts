import type { OpenAlert } from '@floorcast/contract/alerts.ts'
import type { HeartbeatAnswer } from '@floorcast/contract/device-protocol.ts'
import type { Context } from '../../context.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'
import { readOpenAlerts } from '../alerts/alerts.ts'
import { readGroupUid } from './heartbeat-queries.ts'

/** A list is read again after this time, in case the bus lost a notice without noticing it. */
const MAX_AGE_MS = 60_000

interface CachedList {
  alerts: Promise<OpenAlert[]>
  readAtMs: number
}

/**
 * The open alerts of each client, for the answers to heartbeats. The first heartbeat reads a client's list; a notice on
 * the bus that an alert of the client began or ended, or a minute, makes the next heartbeat read it again.
 */
export class OpenAlertCache {
  readonly #context: Context
  readonly #lists = new Map<string, CachedList>()
  readonly #stopListening: () => void

  constructor(context: Context) {
    this.#context = context
    this.#stopListening = context.bus.listen('alert', {
      heard: ([clientId = '']) => void this.#lists.delete(clientId),
      missed: () => this.#lists.clear(),
    })
  }

  /** The open alerts for a device, newest first. */
  async listFor({ clientId, deviceUid }: DeviceIdentity): Promise<HeartbeatAnswer['alerts']> {
    const alerts = await this.#read(clientId)
    const hasGroupAlert = alerts.some(({ target }) => target.kind === 'group')
    // A channel knows its device as it was when the channel was opened, so the group is read while it matters.
    const { reads } = this.#context.database.forClient(clientId)
    const groupUid = hasGroupAlert ? await readGroupUid(reads, deviceUid) : null
    return alerts
      .filter(({ target }) => target.uid === null || target.uid === deviceUid || target.uid === groupUid)
      .map(({ uid, kind, beganAt }) => ({ uid, kind, beganAt }))
  }

  close(): void {
    this.#stopListening()
  }

  #read(clientId: string): Promise<OpenAlert[]> {
    const cached = this.#lists.get(clientId)
    if (cached && performance.now() - cached.readAtMs < MAX_AGE_MS) return cached.alerts
    const alerts = readOpenAlerts(this.#context.database.forClient(clientId).reads)
    const list = { alerts, readAtMs: performance.now() }
    this.#lists.set(clientId, list)
    alerts.catch(() => {
      if (this.#lists.get(clientId) === list) this.#lists.delete(clientId)
    })
    return alerts
  }
}
