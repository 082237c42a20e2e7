import type { OpenAlert } from '@floorcast/contract/alerts.ts'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../context.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'
import { listOpenAlerts } from './alerts-queries.ts'

/** Those alerts of a client that concern a device in its group. */
export const alertsFor = (
  { deviceUid, groupUid }: Pick<DeviceIdentity, 'deviceUid' | 'groupUid'>,
  alerts: readonly OpenAlert[],
): OpenAlert[] =>
  alerts.filter(({ target }) => target.uid === null || target.uid === deviceUid || target.uid === groupUid)

/** A list is read again after this time, in case the bus lost a notice. */
const MAX_AGE_MS = 60_000
const CLIENTS_KEPT = 10_000

/**
 * The open alerts of each client, for the answers to heartbeats. The first question reads a client's list;
 * a notice on the bus that an alert of the client began or ended, or a minute, makes the next one read it again.
 */
export class OpenAlerts {
  readonly #context: Context
  readonly #lists = new LRUCache<string, Promise<OpenAlert[]>>({ max: CLIENTS_KEPT, ttl: MAX_AGE_MS })
  readonly #stopListening: () => void

  constructor(context: Context) {
    this.#context = context
    this.#stopListening = context.bus.listen('alert', {
      heard: ([clientId = '']) => void this.#lists.delete(clientId),
      missed: () => this.#lists.clear(),
    })
  }

  /** The open alerts for a device in its group, newest first. */
  async listFor(device: DeviceIdentity): Promise<OpenAlert[]> {
    return alertsFor(device, await this.list(device.clientId))
  }

  /** The open alerts of a client, newest first. */
  list(clientId: string): Promise<OpenAlert[]> {
    const cached = this.#lists.get(clientId)
    if (cached) return cached
    const alerts = listOpenAlerts(this.#context.database.reports.forClient(clientId).reads)
    this.#lists.set(clientId, alerts)
    alerts.catch(() => {
      if (this.#lists.peek(clientId) === alerts) this.#lists.delete(clientId)
    })
    return alerts
  }

  close(): void {
    this.#stopListening()
  }
}
