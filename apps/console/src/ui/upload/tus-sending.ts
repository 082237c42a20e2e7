import { CallError } from '@floorcast/contract/client.ts'
import { beginUpload } from '@floorcast/contract/uploads.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import type { DetailedError, HttpResponse, Upload } from 'tus-js-client'
import {
  fingerprintOf,
  forgetUpload,
  isBeingSent,
  keepUpload,
  markOwn,
  readKept,
  type Told,
} from './kept-uploads.ts'
import { askOutcome, authorization, failureIn, outcomeIn } from './upload-calls.ts'
import { sessionStore } from '../../platform/session.ts'

/** What becomes of a file on its way. */
export interface SendingEvents {
  onProgress(sent: number): void
  /** The server is away or busy; it is tried again until told to stop. */
  onLost(): void
  onEnd(outcome: Outcome): void
  onFailure(failure: unknown): void
}

/** The file cannot be read any more: it was changed, moved or deleted on this machine. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

const secondsBetween = [1, 2, 4, 8, 15]
/** From seconds to half a minute, then every half a minute for some hours. */
const retryDelays = [...secondsBetween, ...Array.from({ length: 500 }, () => 30)].map(
  seconds => seconds * 1000,
)

const askAgainMs = 5000
/** An upload that is gone each time it is gone on with has a fault that no new beginning mends. */
const mostNewBeginnings = 3

const isPassing = (status: number) => status === 0 || status >= 500 || [409, 423, 429].includes(status)
const isGone = (status: number) => status === 404 || status === 410

/** One file on its way by tus: stopped and gone on with as often as need be, from where the server is. */
export class TusSending {
  readonly #file: File
  readonly #events: SendingEvents
  readonly #told: Told
  readonly #fingerprint: string
  #upload: Upload | null = null
  #isRunning = false
  #isCancelled = false
  #newBeginnings = 0
  #unmark = () => {}

  constructor(file: File, told: Told, events: SendingEvents) {
    this.#file = file
    this.#told = told
    this.#events = events
    this.#fingerprint = fingerprintOf(file, told)
  }

  /** Begins, or goes on: with an upload of this file that this browser began before, too. */
  async go(): Promise<void> {
    this.#isRunning = true
    try {
      this.#upload ??= await this.#open()
    } catch (failure) {
      return this.#events.onFailure(failure)
    }
    if (!this.#isRunning) return
    this.#unmark()
    this.#unmark = markOwn(this.#fingerprint)
    addEventListener('online', this.#goNow)
    this.#upload.start()
  }

  /** Stops where it is. */
  stop(): void {
    this.#isRunning = false
    this.#rest()
    void this.#upload?.abort()
  }

  /** Stops, and has the server forget what it got. */
  cancel(): void {
    this.#isRunning = false
    this.#isCancelled = true
    this.#rest()
    forgetUpload(this.#fingerprint)
    // Its address is not known yet while it begins: then it is forgotten as soon as there is one.
    if (this.#upload?.url) void this.#upload.abort(true).catch(() => {})
  }

  async #open(): Promise<Upload> {
    const { Upload } = await import('tus-js-client')
    const upload = new Upload(this.#file, {
      endpoint: beginUpload.path,
      metadata: {
        filename: this.#file.name,
        contentType: this.#told.contentType,
        ...(this.#told.uid ? { uid: this.#told.uid } : {}),
      },
      storeFingerprintForResuming: false,
      retryDelays,
      onBeforeRequest: request => request.setHeader('authorization', authorization()),
      onUploadUrlAvailable: () => this.#keep(upload),
      onProgress: sent => this.#events.onProgress(sent),
      onShouldRetry: error => this.#mayRetry(upload, error),
      onSuccess: ({ lastResponse }) => void this.#end(upload, lastResponse),
      onError: error => this.#fail(upload, error as DetailedError),
    })
    const kept = readKept().find(({ fingerprint }) => fingerprint === this.#fingerprint)
    if (kept && !(await isBeingSent(this.#fingerprint))) this.#goOnAt(upload, kept.url)
    return upload
  }

  /** With an endpoint tus would begin a second upload whenever the server does not answer where the first one is. */
  #goOnAt(upload: Upload, url: string | null): void {
    upload.url = url
    upload.options.endpoint = url ? null : beginUpload.path
  }

  #keep(upload: Upload): void {
    const { url } = upload
    if (!url) return
    if (this.#isCancelled) return void upload.abort(true).catch(() => {})
    this.#goOnAt(upload, url)
    const { name, size } = this.#file
    const userUid = sessionStore.get().user?.uid ?? ''
    keepUpload({ fingerprint: this.#fingerprint, userUid, url, name, size, told: this.#told })
  }

  #mayRetry(upload: Upload, error: DetailedError): boolean {
    const status = error.originalResponse?.getStatus() ?? 0
    if (this.#isCancelled) return upload.url !== null && isPassing(status)
    if (!this.#isRunning || !isPassing(status)) return false
    this.#events.onLost()
    if (status === 0) void this.#checkFile()
    return true
  }

  /** A file that was changed on the way ends a request just as a broken line does. */
  async #checkFile(): Promise<void> {
    try {
      await this.#file.slice(0, 1).arrayBuffer()
    } catch (cause) {
      this.stop()
      this.#events.onFailure(new UnreadableFile('The file cannot be read', { cause }))
    }
  }

  async #end(upload: Upload, last: HttpResponse): Promise<void> {
    let outcome = outcomeIn(last.getBody())
    if (!outcome && upload.url) {
      try {
        outcome = await askOutcome(upload.url, this.#file.size)
      } catch (failure) {
        return this.#endLater(upload, failure)
      }
    }
    this.#rest()
    forgetUpload(this.#fingerprint)
    this.#goOnAt(upload, null)
    if (outcome) this.#events.onEnd(outcome)
  }

  /** The server has all bytes and did not say what became of them. */
  #endLater(upload: Upload, failure: unknown): void {
    if (!this.#isRunning) return
    if (failure instanceof CallError && isPassing(failure.status)) {
      this.#events.onLost()
      setTimeout(() => this.#isRunning && upload.start(), askAgainMs)
    } else {
      this.#rest()
      this.#events.onFailure(failure)
    }
  }

  #fail(upload: Upload, error: DetailedError): void {
    if (!this.#isRunning) return
    const status = error.originalResponse?.getStatus() ?? 0
    const body = error.originalResponse?.getBody() ?? ''
    // Refused before a byte came.
    const outcome = status === 200 ? outcomeIn(body) : null
    if (isGone(status) && upload.url && this.#newBeginnings < mostNewBeginnings) {
      this.#newBeginnings += 1
      forgetUpload(this.#fingerprint)
      this.#goOnAt(upload, null)
      this.#events.onProgress(0)
      return upload.start()
    }
    this.#rest()
    if (outcome) this.#events.onEnd(outcome)
    else this.#events.onFailure(failureIn(status, body))
  }

  readonly #goNow = (): void => {
    if (!this.#isRunning || !this.#upload) return
    void this.#upload.abort()
    this.#upload.start()
  }

  #rest(): void {
    removeEventListener('online', this.#goNow)
    this.#unmark()
  }
}
