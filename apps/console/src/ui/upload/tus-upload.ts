import { CallError } from '@floorcast/contract/client.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import type { DetailedError, HttpRequest, HttpResponse, Upload } from 'tus-js-client'
import { partSize } from './part-size.ts'
import {
  fingerprintFile,
  removeSavedUpload,
  isLocked,
  saveUpload,
  lockUpload,
  readSavedUploads,
  type UploadTarget,
} from './saved-uploads.ts'
import {
  fetchOutcome,
  authorization,
  findEndpoint,
  toCallError,
  parseOutcome,
  uploadAt,
} from './upload-calls.ts'
import { sessionStore } from '../../platform/session.ts'

/** The events of a transfer. */
export interface UploadEvents {
  onProgress(sent: number): void
  /** The server is down or busy; the transfer is retried until it is stopped. */
  onLost(): void
  onEnd(outcome: Outcome): void
  onFailure(failure: unknown): void
}

/** The browser cannot read the file: it was changed, moved or deleted. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

const secondsBetween = [1, 2, 4, 8, 15]
/** Up to half a minute, then every half a minute for some hours. */
const retryDelays = [...secondsBetween, ...Array.from({ length: 500 }, () => 30)].map(
  seconds => seconds * 1000,
)

const retryOutcomeMs = 5000
/** The server lost the upload each time it was resumed: another restart would fail too. */
const maxRestarts = 3

const isTransient = (status: number) => status === 0 || status >= 500 || [409, 423, 429].includes(status)
/** Waiting does not help: somebody has to free space. The user sees why, and can try again. */
const isDiskFull = ({ originalResponse }: DetailedError) =>
  originalResponse?.getStatus() === 503 &&
  toCallError(503, originalResponse.getBody()).problem?.code === 'disk-full'
const isGone = (status: number) => status === 404 || status === 410
/** A refusal of the server itself comes with a problem. */
const isProxyLimit = (status: number, body: string) => status === 413 && !toCallError(status, body).problem
const offsetOf = (request: HttpRequest) => Number(request.getHeader('Upload-Offset'))

/** A part that is being sent, or one whose answer did not come. */
interface Part {
  offset: number
  bytes: number
  sentAtMs: number
}

/** The transfer of one file by tus. It can be stopped and resumed at the server's offset. */
export class TusUpload {
  readonly #file: File
  readonly #events: UploadEvents
  readonly #target: UploadTarget
  readonly #fingerprint: string
  #upload: Upload | null = null
  #endpoint = ''
  #isRunning = false
  #isCancelled = false
  #restarts = 0
  #part: Part | null = null
  #unlock = () => {}

  constructor(file: File, target: UploadTarget, events: UploadEvents) {
    this.#file = file
    this.#target = target
    this.#events = events
    this.#fingerprint = fingerprintFile(file, target)
  }

  /** Starts the transfer, or resumes one of this file that this browser has saved. */
  async start(): Promise<void> {
    this.#isRunning = true
    try {
      this.#upload ??= await this.#create()
    } catch (failure) {
      return this.#events.onFailure(failure)
    }
    if (!this.#isRunning) return
    this.#unlock()
    this.#unlock = lockUpload(this.#fingerprint, 'sending')
    addEventListener('online', this.#retryNow)
    this.#upload.start()
  }

  /** Pauses the transfer. */
  stop(): void {
    this.#isRunning = false
    this.#part = null
    this.#release()
    void this.#upload?.abort()
  }

  /** Stops the transfer and deletes its bytes on the server. */
  cancel(): void {
    this.#isRunning = false
    this.#isCancelled = true
    this.#release()
    removeSavedUpload(this.#fingerprint)
    // The URL is unknown until the server has created the upload; `#save` deletes it then.
    if (this.#upload?.url) void this.#upload.abort(true).catch(() => {})
  }

  async #create(): Promise<Upload> {
    const { Upload } = await import('tus-js-client')
    this.#endpoint = await findEndpoint()
    const upload = new Upload(this.#file, {
      endpoint: this.#endpoint,
      metadata: {
        filename: this.#file.name,
        contentType: this.#target.contentType,
        ...(this.#target.uid ? { uid: this.#target.uid } : {}),
        ...(this.#target.part ? { part: this.#target.part } : {}),
      },
      storeFingerprintForResuming: false,
      retryDelays,
      chunkSize: partSize.bytes,
      onBeforeRequest: request => this.#prepare(upload, request),
      onAfterResponse: (request, response) => this.#measure(upload, request, response),
      onUploadUrlAvailable: () => this.#save(upload),
      onProgress: sent => this.#events.onProgress(sent),
      onShouldRetry: error => this.#shouldRetry(upload, error),
      onSuccess: ({ lastResponse }) => void this.#complete(upload, lastResponse),
      onError: error => this.#fail(upload, error as DetailedError),
    })
    const saved = readSavedUploads().find(({ fingerprint }) => fingerprint === this.#fingerprint)
    if (saved && !(await isLocked(this.#fingerprint, 'sending')))
      this.#resumeAt(upload, saved.url && uploadAt(this.#endpoint, saved.url))
    return upload
  }

  /** With an endpoint, tus would create a second upload whenever the server does not answer for the first. */
  #resumeAt(upload: Upload, url: string | null): void {
    upload.url = url
    upload.options.endpoint = url ? null : this.#endpoint
  }

  #save(upload: Upload): void {
    if (!upload.url) return
    const url = uploadAt(this.#endpoint, upload.url)
    upload.url = url
    if (this.#isCancelled) return void upload.abort(true).catch(() => {})
    this.#resumeAt(upload, url)
    const { name, size } = this.#file
    const userUid = sessionStore.get().user?.uid ?? ''
    saveUpload({ fingerprint: this.#fingerprint, userUid, url, name, size, target: this.#target })
  }

  #prepare(upload: Upload, request: HttpRequest): void {
    request.setHeader('authorization', authorization())
    if (request.getMethod() !== 'PATCH') return
    const offset = offsetOf(request)
    const bytes = Math.min(upload.options.chunkSize ?? Infinity, this.#file.size - offset)
    this.#part = { offset, bytes, sentAtMs: performance.now() }
  }

  /** Fits the next part to what came of the last one; tus waits for this before it cuts the next one. */
  #measure(upload: Upload, request: HttpRequest, response: HttpResponse): void {
    const [part, status] = [this.#part, response.getStatus()]
    if (part && request.getMethod() === 'HEAD') {
      if (Number(response.getHeader('Upload-Offset')) === part.offset) partSize.lose()
    } else if (part && status < 300) partSize.grow(part.bytes, performance.now() - part.sentAtMs)
    if (status !== 413) this.#part = null
    upload.options.chunkSize = partSize.bytes
  }

  /** After a refusal by a proxy the same bytes go again, in smaller parts. */
  #shrinkPart(upload: Upload, status: number, body: string): boolean {
    if (!this.#part || !isProxyLimit(status, body) || !partSize.refuse(this.#part.bytes)) return false
    this.#part = null
    upload.start()
    return true
  }

  #shouldRetry(upload: Upload, error: DetailedError): boolean {
    const status = error.originalResponse?.getStatus() ?? 0
    if (this.#isCancelled) return upload.url !== null && isTransient(status)
    if (!this.#isRunning || !isTransient(status) || isDiskFull(error)) return false
    this.#events.onLost()
    if (status === 0) void this.#checkFile()
    return true
  }

  /** A changed file ends a request in the same way as a broken connection. */
  async #checkFile(): Promise<void> {
    try {
      await this.#file.slice(0, 1).arrayBuffer()
    } catch (cause) {
      this.stop()
      this.#events.onFailure(new UnreadableFile('The file cannot be read', { cause }))
    }
  }

  async #complete(upload: Upload, last: HttpResponse): Promise<void> {
    let outcome = parseOutcome(last.getBody())
    if (!outcome && upload.url) {
      try {
        outcome = await fetchOutcome(upload.url, this.#file.size)
      } catch (failure) {
        return this.#completeLater(upload, failure)
      }
    }
    this.#release()
    removeSavedUpload(this.#fingerprint)
    this.#resumeAt(upload, null)
    if (outcome) this.#events.onEnd(outcome)
  }

  /** The server has all bytes and its answer was lost. */
  #completeLater(upload: Upload, failure: unknown): void {
    if (!this.#isRunning) return
    if (failure instanceof CallError && isTransient(failure.status)) {
      this.#events.onLost()
      setTimeout(() => this.#isRunning && upload.start(), retryOutcomeMs)
    } else {
      this.#release()
      this.#events.onFailure(failure)
    }
  }

  #fail(upload: Upload, error: DetailedError): void {
    if (!this.#isRunning) return
    const status = error.originalResponse?.getStatus() ?? 0
    const body = error.originalResponse?.getBody() ?? ''
    if (this.#shrinkPart(upload, status, body)) return
    // The server refused the upload before the first byte.
    const outcome = status === 200 ? parseOutcome(body) : null
    if (isGone(status) && upload.url && this.#restarts < maxRestarts) {
      this.#restarts += 1
      removeSavedUpload(this.#fingerprint)
      this.#resumeAt(upload, null)
      this.#events.onProgress(0)
      return upload.start()
    }
    this.#release()
    if (outcome) this.#events.onEnd(outcome)
    else this.#events.onFailure(toCallError(status, body))
  }

  readonly #retryNow = (): void => {
    if (!this.#isRunning || !this.#upload) return
    void this.#upload.abort()
    this.#upload.start()
  }

  #release(): void {
    removeEventListener('online', this.#retryNow)
    this.#unlock()
  }
}
