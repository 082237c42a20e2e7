import { createHash, randomUUID } from 'node:crypto'
import type { SmallFile, SmallManifest, SmallProgramme } from './small-timeline.ts'

export type Json = Record<string, unknown>
type Call = (path: string, init?: RequestInit) => Promise<Response>

const RETRY_MS = 300
export const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** The programmes and files of the player that was written from the page alone. */
export class SmallFiles {
  readonly programmes = new Map<string, SmallProgramme>()
  readonly held = new Set<string>()
  readonly #parts = new Map<string, Buffer>()
  readonly #call: Call
  readonly #isStopped: () => boolean

  constructor(call: Call, isStopped: () => boolean) {
    this.#call = call
    this.#isStopped = isStopped
  }

  async fetchAll(manifest: SmallManifest): Promise<void> {
    for (const { programme } of manifest.publications) await this.#fetchProgramme(programme)
    for (const file of this.#filesOf(manifest)) await this.#download(file)
  }

  describe(manifest: SmallManifest | null) {
    return (manifest?.publications ?? []).map(({ uid, revision, programme }) => {
      const files = this.programmes.get(programme)?.files ?? []
      return {
        publicationUid: uid,
        revision,
        missing: files.filter(file => !this.held.has(file.sha256)).length,
      }
    })
  }

  async #fetchProgramme(sha256: string): Promise<void> {
    if (this.programmes.has(sha256)) return
    const answer = await this.#call(`/api/v2/iplay/programme/${sha256}`)
    this.programmes.set(sha256, (await answer.json()) as SmallProgramme)
  }

  async #download({ sha256, sizeBytes, path }: SmallFile & { path: string }): Promise<void> {
    while (!this.held.has(sha256) && !this.#isStopped()) {
      const part = this.#parts.get(sha256) ?? Buffer.alloc(0)
      const headers: Record<string, string> = part.length > 0 ? { range: `bytes=${part.length}-` } : {}
      let bytes = part
      try {
        const answer = await this.#call(path, { headers })
        if (!answer.ok || !answer.body) throw new Error(String(answer.status))
        for await (const chunk of answer.body) bytes = Buffer.concat([bytes, chunk])
      } catch {
        this.#parts.set(sha256, bytes)
        await sleep(RETRY_MS)
        continue
      }
      const isWhole =
        bytes.length === sizeBytes && createHash('sha256').update(bytes).digest('hex') === sha256
      if (isWhole) this.held.add(sha256)
      else this.#parts.delete(sha256)
    }
  }

  #filesOf(manifest: SmallManifest): (SmallFile & { path: string })[] {
    const listed = manifest.publications.flatMap(
      ({ programme }) => this.programmes.get(programme)?.files ?? [],
    )
    const pathed = listed.map(file => ({
      ...file,
      path: `/api/v2/iplay/media/${file.mediaUid}/${file.sha256}`,
    }))
    return [...pathed, ...manifest.files]
  }
}

/** Its events: numbered, and sent until the server has answered. */
export class SmallLog {
  readonly #events: Json[] = []
  readonly #call: Call
  readonly #parts: { bootId: string; now: () => number }
  #sequence = 0
  #isSending = false

  constructor(call: Call, parts: { bootId: string; now: () => number }) {
    this.#call = call
    this.#parts = parts
  }

  append(event: Json): void {
    const { bootId, now } = this.#parts
    this.#sequence += 1
    const at = new Date(now()).toISOString()
    this.#events.push({ id: randomUUID(), bootId, sequence: this.#sequence, at, ...event })
  }

  async deliver(playPoint: string): Promise<void> {
    if (this.#isSending || this.#events.length === 0) return
    this.#isSending = true
    const list = this.#events.slice(0, 500)
    const answer = await this.#call(`/api/v2/iplay/send/list/${playPoint}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(list),
    }).catch(() => null)
    if (answer?.ok) this.#events.splice(0, list.length)
    else await sleep(RETRY_MS)
    this.#isSending = false
  }
}

interface AlertParts {
  repeats: boolean
  say: (message: Json) => void
  log: (event: Json) => void
  onBegin: () => void
}

/** Its alerts: each plays once, by its uid. */
export class SmallAlerts {
  readonly open = new Set<string>()
  readonly #met = new Set<string>()
  readonly #parts: AlertParts

  constructor(parts: AlertParts) {
    this.#parts = parts
  }

  meet(uid: string, kind: string): void {
    if (this.#met.has(uid) && !this.#parts.repeats) return
    this.#met.add(uid)
    this.#step(uid, kind, 'received')
    this.#parts.onBegin()
    this.open.add(uid)
    this.#step(uid, kind, 'started')
  }
  end(uid: string, kind: string): void {
    if (this.open.delete(uid)) this.#step(uid, kind, 'ended')
  }

  #step(alertUid: string, alertKind: string, step: string): void {
    this.#parts.say({ type: 'receipt', alertUid, step, agoMs: 0 })
    this.#parts.log({ kind: 'alert', alertUid, alertKind, step })
  }
}
