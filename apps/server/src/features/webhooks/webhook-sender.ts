import type { ClientEvent } from '@floorcast/contract/client-events.ts'
import type { WebhookPost } from '@floorcast/contract/webhooks.ts'
import { Webhook } from 'standardwebhooks'
import type { Context } from '../../context.ts'
import type { SecretBox } from '../../platform/auth/secret-box.ts'
import type { ClientScope } from '../../platform/database/client-scope.ts'
import type { ClaimedDelivery } from '../../platform/database/delivery-queries.ts'
import { Waker } from '../../platform/lib/waker.ts'
import { watchJob } from '../../platform/metrics/watch-job.ts'
import { addEvent, findEvent } from '../client-events/client-events.ts'
import { type Posted, postEvent } from './post-event.ts'
import { secretsOf } from './webhooks.ts'
import {
  endDelivery,
  findDelivery,
  findWebhook,
  giveUp,
  lockWebhook,
  noteFailing,
  type StoredWebhook,
  updateWebhook,
} from './webhooks-queries.ts'

type SenderParts = Pick<Context, 'bus' | 'database' | 'log' | 'metrics' | 'now' | 'settings'> & {
  secrets: () => Promise<SecretBox>
}

/** Deliveries that a server is at; of one webhook the servers together send four. */
const SLOTS = 16
const SLOTS_A_WEBHOOK = 4
/** A server that ends without a word leaves its deliveries to the others after this time; a call takes at most 15 s. */
const HOLD_MS = 60_000
const SECOND_MS = 1000
/** An event that was not taken is sent again after these seconds, the last one repeatedly. */
const RETRY_SECONDS = [5, 30, 120, 600, 1800, 3600, 7200]
const MAX_AGE_MS = 24 * 3600 * SECOND_MS
/** A webhook to which nothing has arrived for so long is disabled. */
const DISABLED_AFTER_MS = 3 * MAX_AGE_MS
const CHECK_MS = 60 * SECOND_MS

const retryMs = (attempts: number) =>
  (RETRY_SECONDS[Math.min(attempts, RETRY_SECONDS.length) - 1] ?? 1) * SECOND_MS

/**
 * Posts the events that wait to their webhooks. Every server does; a delivery is held by one of them. No database connection is held
 * while a receiver is called. An event whose answer was lost is sent again with the same id.
 */
export class WebhookSender {
  readonly #parts: SenderParts
  readonly #closing = new AbortController()
  readonly #waker = new Waker()
  readonly #stopListening: () => void
  readonly #sending = new Set<Promise<void>>()
  readonly #running: Promise<void>

  constructor(parts: SenderParts) {
    this.#parts = parts
    const wake = () => this.#waker.wake()
    this.#stopListening = parts.bus.listen('webhook', { heard: wake, missed: wake })
    this.#running = this.#run()
  }

  /** Breaks off what is being sent. A later server sends it again. */
  async close(): Promise<void> {
    this.#stopListening()
    this.#closing.abort()
    this.#waker.wake()
    await this.#running
    await Promise.all(this.#sending)
  }

  async #run(): Promise<void> {
    const { log, metrics } = this.#parts
    const run = watchJob(metrics, { name: 'webhooks', periodMs: 2 * CHECK_MS })
    while (!this.#closing.signal.aborted) {
      this.#waker.begin()
      let waitMs = CHECK_MS
      try {
        waitMs = await run(() => this.#beginDue())
      } catch (error) {
        if (!this.#closing.signal.aborted) log.warn({ err: error }, 'the events for webhooks were not read')
      }
      await this.#waker.sleep(waitMs)
    }
  }

  /** Begins what is due and fits. @returns how long to wait; the end of a delivery wakes sooner */
  async #beginDue(): Promise<number> {
    const { database, now } = this.#parts
    const most = SLOTS - this.#sending.size
    if (most === 0) return CHECK_MS
    const at = now()
    const until = new Date(at.getTime() + HOLD_MS)
    const claimed = await database.deliveries.claim({ at, until, atOnce: SLOTS_A_WEBHOOK, most })
    for (const delivery of claimed) this.#begin(delivery)
    if (claimed.length > 0) return 0
    const next = await database.deliveries.nextAt()
    return Math.min(Math.max((next?.getTime() ?? Infinity) - now().getTime(), SECOND_MS / 10), CHECK_MS)
  }

  #begin(delivery: ClaimedDelivery): void {
    const { database, log } = this.#parts
    const sending = this.#send(database.forClient(delivery.clientId), delivery).catch((error: unknown) => {
      // It is held for a while, and then sent again.
      if (!this.#closing.signal.aborted)
        log.warn({ err: error, ...delivery }, 'an event for a webhook was not sent')
    })
    this.#sending.add(sending)
    void sending.then(() => {
      this.#sending.delete(sending)
      this.#waker.wake()
    })
  }

  async #send(scope: ClientScope, { webhookUid, position }: ClaimedDelivery): Promise<void> {
    const { log, now } = this.#parts
    const webhook = await findWebhook(scope.reads, webhookUid)
    const event = await findEvent(scope.reads, position)
    if (!webhook || !event) return
    const posted = await this.#post(webhook, event)
    if (this.#closing.signal.aborted) return
    await this.#note(scope, webhook, { position, posted, at: now() })
    if (posted.failure !== null)
      log.info({ webhook: webhookUid, position, reason: posted.failure }, 'a webhook did not take an event')
  }

  async #post(webhook: StoredWebhook, event: ClientEvent): Promise<Posted> {
    const { now, secrets, settings } = this.#parts
    const post: WebhookPost = { type: event.kind, timestamp: event.at, data: event }
    const body = JSON.stringify(post)
    const at = now()
    const id = `${webhook.uid}.${event.position}`
    const signatures = secretsOf(await secrets(), webhook, at).map(secret =>
      new Webhook(secret).sign(id, at, body),
    )
    return postEvent({
      url: webhook.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Floorcast',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / SECOND_MS)),
        'webhook-signature': signatures.join(' '),
      },
      body,
      mayBePrivate: settings.webhooksMayBePrivate,
      signal: this.#closing.signal,
    })
  }

  async #note(
    scope: ClientScope,
    webhook: StoredWebhook,
    { position, posted, at }: { position: number; posted: Posted; at: Date },
  ): Promise<void> {
    const { uid } = webhook
    await scope.write(async writes => {
      // As it is now: an admin may have disabled it.
      const now = await lockWebhook(writes, uid)
      const delivery = await findDelivery(writes, { webhookUid: uid, position })
      if (!now || !delivery) return
      const end = { webhookUid: uid, position, at, ...posted }
      if (posted.failure === null) {
        await noteFailing(writes, uid, null)
        return endDelivery(writes, { ...end, state: 'delivered' })
      }
      await noteFailing(writes, uid, at)
      const isOld = at.getTime() - Date.parse(delivery.addedAt) >= MAX_AGE_MS
      const dueAt = new Date(at.getTime() + retryMs(delivery.attempts))
      await endDelivery(writes, { ...end, ...(isOld ? { state: 'failed' } : { state: 'waiting', dueAt }) })
      const since = now.failingSince
      if (since === null || at.getTime() - Date.parse(since) < DISABLED_AFTER_MS) return
      await updateWebhook(writes, uid, { state: 'disabled', at })
      await giveUp(writes, uid, 'disabled: no event arrived for three days')
      addEvent(
        writes,
        { clientId: scope.clientId, at },
        { kind: 'webhook.disabled', webhook: { uid, name: now.name } },
      )
    })
  }
}
