import type { Context } from '../../context.ts'
import { hashToken, makeToken } from '../../platform/auth/token.ts'
import type { ClaimedMail, MailEnd } from '../../platform/database/mail-queries.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { Waker } from '../../platform/lib/waker.ts'
import { watchJob } from '../../platform/metrics/watch-job.ts'
import { MailError, type MailTransport } from '../../platform/mail/mail-transport.ts'
import { linkEnds, type MailContent, writeMail, writePlanRequest } from './mail-texts.ts'

type QueueParts = Pick<Context, 'bus' | 'database' | 'log' | 'metrics' | 'now'> & {
  publicUrl: string
  transport: MailTransport
}

/** Mails that are sent at the same time. */
const CONCURRENCY = 4
/** Longest time for one mail. Mail servers that scan a mail before they answer take half a minute. */
const SEND_MS = 90_000
/** A server that ends without a word leaves its mails to the others after this time. */
const LEASE_MS = 180_000
/** A mail that was not taken is sent again after these times, the last one repeatedly. */
const RETRY_MINUTES = [1, 5, 15, 60, 180]
const MAX_AGE_MS = 24 * 3_600_000
/** The queue pauses when the mail server is away, longer each time. */
const PAUSE_MS = { first: 15_000, max: 600_000 }
/** Finds what another server has left, and a lost notice. */
const CHECK_MS = 60_000
const MINUTE_MS = 60_000
/** Mails for a forgotten password that a user gets in a day from networks without a sign-in of this user. */
const MAX_OF_STRANGERS = 10

const after = (now: Date, ms: number) => new Date(now.getTime() + ms)
const retryMs = (attempts: number) =>
  (RETRY_MINUTES[Math.min(attempts, RETRY_MINUTES.length) - 1] ?? 1) * MINUTE_MS

/**
 * Sends the mails that wait in the database. Every server does; a lease keeps a mail to one of them. The token of a link is
 * made here, so that neither the waiting row nor its backup opens anything. No database connection is held while it talks to
 * the mail server.
 */
export class MailQueue {
  readonly #parts: QueueParts
  readonly #closing = new AbortController()
  readonly #stopListening: () => void
  readonly #running: Promise<void>
  readonly #waker = new Waker()
  #pauseMs = 0
  #pausedUntil = new Date(0)

  constructor(parts: QueueParts) {
    this.#parts = parts
    const wake = () => this.#waker.wake()
    this.#stopListening = parts.bus.listen('mail', { heard: wake, missed: wake })
    this.#running = this.#run()
  }

  /** Breaks off the mails that are being sent. A later server sends them again. */
  async close(): Promise<void> {
    this.#stopListening()
    this.#closing.abort()
    this.#waker.wake()
    await this.#running
  }

  async #run(): Promise<void> {
    const { log, metrics, now } = this.#parts
    // A batch may take SEND_MS.
    const run = watchJob(metrics, { name: 'mails', periodMs: CHECK_MS + SEND_MS })
    const work = async () => {
      if (now() >= this.#pausedUntil) await this.#sendDue()
      return this.#untilNext()
    }
    while (!this.#closing.signal.aborted) {
      this.#waker.begin()
      let waitMs = CHECK_MS
      try {
        waitMs = await run(work)
      } catch (error) {
        log.warn({ err: error }, 'the queue of mails was not read')
      }
      await this.#waker.sleep(waitMs)
    }
  }

  async #untilNext(): Promise<number> {
    const next = await this.#parts.database.mails.nextAt()
    const at = Math.max(next?.getTime() ?? Infinity, this.#pausedUntil.getTime())
    return Math.min(Math.max(at - this.#parts.now().getTime(), 0), CHECK_MS)
  }

  /** Sends until no mail is due, or the mail server is away. */
  async #sendDue(): Promise<void> {
    const { database, now } = this.#parts
    while (!this.#closing.signal.aborted && now() >= this.#pausedUntil) {
      const at = now()
      const mails = await database.mails.claim({ at, endsAt: after(at, LEASE_MS), max: CONCURRENCY })
      if (mails.length === 0) return
      const results = await Promise.all(mails.map(mail => this.#send(mail)))
      if (results.includes('server')) this.#pause()
      else this.#pauseMs = 0
      await Promise.all(mails.map((mail, index) => this.#end(mail, results[index] ?? 'sent')))
    }
  }

  #pause(): void {
    this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, PAUSE_MS.first), PAUSE_MS.max)
    this.#pausedUntil = after(this.#parts.now(), this.#pauseMs)
  }

  /** @returns null if there was nobody to write to */
  async #send(mail: ClaimedMail): Promise<'sent' | MailError | 'server' | null> {
    const { transport, log } = this.#parts
    const { uid, recipient, kind } = mail
    const content = await this.#write(mail)
    if (!content) return null
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(SEND_MS)])
    try {
      await transport.send({ to: recipient, ...content }, signal)
      log.info({ mail: uid, kind, attempt: mail.attempts }, 'mail sent')
      return 'sent'
    } catch (error) {
      const failure = error instanceof MailError ? error : new MailError('server', String(error))
      if (!this.#closing.signal.aborted)
        log.warn({ mail: uid, kind, attempt: mail.attempts, reason: failure.message }, WORDS[failure.fault])
      return failure.fault === 'server' ? 'server' : failure
    }
  }

  /** @returns null if there is nobody to write to, or nothing to say any more */
  async #write(mail: ClaimedMail): Promise<MailContent | null> {
    const { database, publicUrl, now } = this.#parts
    const { uid } = mail
    const language = async () => (await database.mails.languageOf(uid)) ?? mail.language
    if (mail.kind === 'plan-request') {
      const request = await database.mails.preparePlanRequest(uid)
      return request && writePlanRequest({ ...request, language: await language() })
    }
    const [token, at] = [makeToken(), now()]
    const row = { uid, tokenHash: hashToken(token), entryUid: uuidV7(), at, ends: linkEnds(at) }
    const prepared = await database.mails.prepare({ ...row, maxOfStrangers: MAX_OF_STRANGERS })
    return prepared && writeMail({ ...prepared, language: await language(), publicUrl, token })
  }

  async #end(mail: ClaimedMail, result: 'sent' | MailError | 'server' | null): Promise<void> {
    if (result === null) return
    const { database, now } = this.#parts
    const at = now()
    const common = { uid: mail.uid, reason: null, againAt: null, entryUid: uuidV7(), at }
    if (result === 'sent') return database.mails.end({ ...common, outcome: 'sent' })
    const reason = result === 'server' ? 'the mail server is away' : result.message
    await database.mails.end({ ...common, reason, ...this.#again(mail, result, at) })
  }

  #again(
    { createdAt, attempts }: ClaimedMail,
    result: MailError | 'server',
    at: Date,
  ): Pick<MailEnd, 'outcome' | 'againAt'> {
    if (result !== 'server' && result.fault === 'refused') return { outcome: 'refused', againAt: null }
    const isOld = at.getTime() - Date.parse(createdAt) > MAX_AGE_MS
    if (isOld) return { outcome: 'expired', againAt: null }
    const againAt = result === 'server' ? this.#pausedUntil : after(at, retryMs(attempts))
    return { outcome: null, againAt }
  }
}

const WORDS = {
  refused: 'the mail server refused a mail',
  later: 'the mail server takes a mail later',
  server: 'the mail server takes no mails',
} as const
