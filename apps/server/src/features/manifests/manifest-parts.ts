import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { Context } from '../../context.ts'
import type { ClientScope } from '../../platform/database/client-scope.ts'
import { type GroupContent, listSounds, mergeSettings } from './manifest-body.ts'
import {
  type ClientPart,
  type GroupSource,
  isGroupMedia,
  readClientPart,
  readGroupSource,
  readRunning,
  type RunningTransactions,
  savePending,
} from './manifest-queries.ts'
import { headOf, writeDocument } from './programme-body.ts'
import type { Programmes } from './programmes.ts'

/** What all devices of a group share. */
export interface GroupPart extends GroupContent {
  groupUid: string
  /** The group's revision that it was made of; null while the group is pending. */
  revision: number | null
  /** Transactions below this id must end before the group's part is certain; null: it is. */
  pendingBelow: number | null
  deviceCount: number
}

/** A version of a media item's file. */
export interface FileName {
  uid: string
  sha256: string
}

/** Groups whose parts are made at the same time: a media item may be played in a thousand. */
const LOADS_AT_ONCE = 4
/** Groups and clients whose part is in memory; a part takes some kilobytes. */
const MAX_PARTS = 5000
/** The longest wait until concurrent transactions have ended, and the time between two looks. */
const MAX_CERTAINTY_MS = 2000
const LOOK_INTERVAL_MS = 25
/** A device that holds a former manifest still fetches its files: so many former programmes of a group are remembered. */
const MAX_FORMER_PROGRAMMES = 8
/** A group that is purged meanwhile never reaches the wanted revision. */
const MAX_LOADS = 3

/**
 * The transaction id below which a group stays pending; null: it is not pending. After an assignment, a transaction that began
 * earlier may change the assigned item without marking this group, and commit after the group's part was made. Once all
 * transactions of that time have ended, a new part has their changes (docs/decisions/0138).
 */
function stillPending(pendingBelow: number | null, { oldest, next }: RunningTransactions): number | null {
  if (pendingBelow === null || oldest === null) return null
  if (pendingBelow === 0) return next
  return oldest < pendingBelow ? pendingBelow : null
}

const NONE_RUNNING: RunningTransactions = { oldest: null, next: 0 }

/** The parts that manifests share, each made once for a revision of its group or client. */
export class ManifestParts {
  readonly #now: () => Date
  readonly #programmes: Programmes
  readonly #groups = new LRUCache<string, GroupPart>({ max: MAX_PARTS })
  /** The programmes that former parts of a group named, the newest first. */
  readonly #former = new LRUCache<string, readonly string[]>({ max: MAX_PARTS })
  readonly #clients = new LRUCache<string, ClientPart>({ max: MAX_PARTS })
  readonly #loading = new Map<string, Promise<GroupPart>>()
  readonly #turns = pLimit(LOADS_AT_ONCE)
  #looking: Promise<RunningTransactions> | null = null

  constructor({ now }: Pick<Context, 'now'>, programmes: Programmes) {
    this.#now = now
    this.#programmes = programmes
  }

  /** A group's part in memory, of any revision, also of a pending group. */
  peekGroup(groupUid: string): GroupPart | undefined {
    return this.#groups.get(groupUid)
  }

  /**
   * Whether a manifest of a group names a file, or a former manifest did: a device fetches the files of its own for a while.
   * Reads the database only if no part of the group in memory names it, as after a start.
   */
  async mayFetch(scope: ClientScope, groupUid: string, { uid, sha256 }: FileName): Promise<boolean> {
    const part = this.#groups.get(groupUid)
    const programmes = [...(part ? programmesOf(part) : []), ...(this.#former.get(groupUid) ?? [])]
    return (
      part?.files.some(file => file.sha256 === sha256) ||
      programmes.some(programme => this.#programmes.names(scope, programme, sha256)) ||
      isGroupMedia(scope.reads, groupUid, uid)
    )
  }

  /** A group's part, at least of this revision. */
  async group(scope: ClientScope, groupUid: string, revision: number): Promise<GroupPart> {
    const known = this.#groups.get(groupUid)
    if (known && (known.revision ?? -1) >= revision) return known
    for (let loads = 1; ; loads += 1) {
      const part = await this.#load(scope, groupUid)
      if (loads === MAX_LOADS || part.revision === null || part.revision >= revision) return part
    }
  }

  /** A client's part, at least of this revision. */
  async client(scope: ClientScope, revision: number): Promise<ClientPart> {
    const known = this.#clients.get(scope.clientId)
    if (known && known.revision >= revision) return known
    const part = await readClientPart(scope.reads)
    this.#clients.set(scope.clientId, part)
    return part
  }

  /** A group's part as of now. A load that is under way may have begun before a change. */
  async newestGroup(scope: ClientScope, groupUid: string): Promise<GroupPart> {
    await this.#loading.get(groupUid)?.catch(() => undefined)
    return this.#load(scope, groupUid)
  }

  /** A group's newest part, certain if concurrent transactions end soon: devices then ask once, not twice. */
  async certainGroup(scope: ClientScope, groupUid: string): Promise<GroupPart> {
    const until = performance.now() + MAX_CERTAINTY_MS
    let part = await this.newestGroup(scope, groupUid)
    while (part.pendingBelow !== null && performance.now() < until) {
      await pause(LOOK_INTERVAL_MS)
      const { oldest } = await this.#look(scope)
      if (oldest === null || oldest >= part.pendingBelow) part = await this.newestGroup(scope, groupUid)
    }
    return part
  }

  /** The transactions that run now. All that wait for their end share a statement: they are those of all clients. */
  #look(scope: ClientScope): Promise<RunningTransactions> {
    this.#looking ??= readRunning(scope.reads).finally(() => (this.#looking = null))
    return this.#looking
  }

  forget(groupUid: string): void {
    this.#groups.delete(groupUid)
  }

  #load(scope: ClientScope, groupUid: string): Promise<GroupPart> {
    const loading = this.#loading.get(groupUid) ?? this.#turns(() => this.#read(scope, groupUid))
    this.#loading.set(groupUid, loading)
    return loading
  }

  async #read(scope: ClientScope, groupUid: string): Promise<GroupPart> {
    try {
      const { source, running } = await scope.readTogether(async reads => {
        const read = await readGroupSource(reads, groupUid)
        return { source: read, running: read.pendingBelow === null ? NONE_RUNNING : await readRunning(reads) }
      })
      const pendingBelow = stillPending(source.pendingBelow, running)
      if (pendingBelow !== source.pendingBelow) {
        const { revision } = source
        await scope.write(writes => savePending(writes, { groupUid, revision, pendingBelow }))
      }
      const part = await this.#make(scope, { groupUid, source, pendingBelow })
      this.#rememberFormer(part)
      this.#groups.set(groupUid, part)
      return part
    } finally {
      this.#loading.delete(groupUid)
    }
  }

  #rememberFormer(part: GroupPart): void {
    const { groupUid } = part
    const current = new Set(programmesOf(part))
    const before = this.#groups.get(groupUid)
    const former = [...(before ? programmesOf(before) : []), ...(this.#former.get(groupUid) ?? [])]
    const kept = [...new Set(former)].filter(programme => !current.has(programme))
    if (kept.length === 0) this.#former.delete(groupUid)
    else this.#former.set(groupUid, kept.slice(0, MAX_FORMER_PROGRAMMES))
  }

  async #make(
    scope: ClientScope,
    {
      groupUid,
      source,
      pendingBelow,
    }: { groupUid: string; source: GroupSource; pendingBelow: number | null },
  ): Promise<GroupPart> {
    const publications = []
    for (const publication of source.publications) {
      const document = await writeDocument(publication)
      const files = new Set(publication.items.map(({ sha256 }) => sha256))
      await this.#programmes.keep(scope, { ...document, files }, this.#now())
      publications.push({ ...headOf(publication), programme: document.sha256 })
    }
    return {
      groupUid,
      revision: pendingBelow === null ? source.revision : null,
      pendingBelow,
      deviceCount: source.deviceCount,
      tags: source.tags,
      settings: mergeSettings(source.profiles),
      ...listSounds(source.profiles, source.sounds),
      publications,
      update: source.update,
    }
  }
}

const programmesOf = ({ publications }: GroupPart) => publications.map(({ programme }) => programme)
