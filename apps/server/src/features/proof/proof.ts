import { knowsTimeZone } from '../../platform/database/time-zones.ts'
import type { FileHandle } from 'node:fs/promises'
import type { LeftOut } from '@floorcast/contract/events.ts'
import { PROOF_FORMAT, PROOF_FORMULA, type ProofManifest } from '@floorcast/contract/proof-file.ts'
import { release } from '@floorcast/contract/release.ts'
import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import type { Context } from '../../context.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { orNotFound, ProblemError, wrongField } from '../../platform/lib/errors.ts'
import { openNamelessFile } from '../../platform/storage/nameless-file.ts'
import { type PlayReads, readPlays } from '../archive/archive.ts'
import { changesBetween, recordChanges } from '../audit/audit.ts'
import { findKeptFrom } from '../statistics/statistics.ts'
import { listRestoredDays, summarizeRestored } from '../redeliveries/redeliveries.ts'
import { openSigner } from '../proof-keys/proof-keys.ts'
import { readFacts } from './device-facts.ts'
import { PROOF_HEADING, ProofCounts } from './proof-csv.ts'
import { findMedia, type Proven, type ProvenMedia, readPage, showDays, utcDaysOf } from './proof-queries.ts'
import { ProofWriter } from './proof-writer.ts'

export { AdPlaysByDay } from './ad-plays.ts'

/** Days of `zone`, both inclusive; `device` is each device's own zone. */
export interface Asked {
  uid: string
  from: string
  to: string
  zone: string
}

export interface MadeProof {
  /** Open at a zip that has no name on the disk. The caller closes it. */
  handle: FileHandle
  bytes: number
  manifest: ProofManifest
}

/** @throws ProblemError 404; 410 `plays-gone`; 422 for an unknown zone */
export async function checkProof(reads: PlayReads, { uid, zone, from }: Asked): Promise<ProvenMedia> {
  const media = orNotFound(await findMedia(reads, uid))
  if (zone !== DEVICE_ZONES && !(await knowsTimeZone(reads, zone))) throw wrongField('zone', 'time-zone')
  const keptFrom = await findKeptFrom(reads)
  // A zone's day has plays of the day before in UTC.
  if (keptFrom !== null && from <= keptFrom)
    throw new ProblemError('plays-gone', {
      detail: `Single plays before ${keptFrom} were deleted, and a proof has each play: ask for days after it.`,
    })
  return media
}

/** Writes each play of the ad, in one state of the database. Nothing is written before all of them can be read. */
async function writePlays(
  reads: PlayReads,
  { asked, writer, signal }: { asked: Asked; writer: ProofWriter; signal: AbortSignal | undefined },
): Promise<ProofManifest['counts']> {
  const proven: Proven = {
    mediaUid: asked.uid,
    from: asked.from,
    to: asked.to,
    isByLocalDay: asked.zone === DEVICE_ZONES,
  }
  await showDays(reads, proven)
  const { facts, nobody } = await readFacts(reads, asked.zone)
  const others = [...facts].filter(([, { timeZone }]) => timeZone !== nobody.timeZone)
  const ofDevices = Object.fromEntries(others.map(([uid, { timeZone }]) => [uid, timeZone]))
  const zones = { ofDevices, otherwise: nobody.timeZone }
  const counts = new ProofCounts()
  const leftOut: Partial<Record<LeftOut, number>> = {}
  await writer.write(PROOF_HEADING)
  for (const day of utcDaysOf(proven)) {
    let page: Awaited<ReturnType<typeof readPage>> | undefined
    do {
      signal?.throwIfAborted()
      page = await readPage(reads, proven, { zones, day, last: page?.plays.at(-1) })
      let text = ''
      for (const play of page.plays)
        if (play.leftOut === null) text += counts.add(play, facts.get(play.deviceUid) ?? nobody)
        else leftOut[play.leftOut] = (leftOut[play.leftOut] ?? 0) + 1
      if (text !== '') await writer.write(text)
    } while (page.hasMore)
  }
  // The same bytes for the same plays.
  const sorted = Object.entries(leftOut).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { ...counts.toJSON(), leftOut: Object.fromEntries(sorted) }
}

/** Who was given which proof. */
function recordProof(ctx: RequestContext, { filters, file, period, keyId }: ProofManifest): Promise<void> {
  const { media } = filters
  const { from: startDate, to: endDate, zone: timeZone } = period
  const changes = changesBetween({}, { startDate, endDate, timeZone, sha256: file.sha256, keyId })
  const change = {
    action: 'sign-proof' as const,
    entity: 'media' as const,
    uid: media.uid,
    name: media.name,
    changes,
  }
  return ctx.scope.write(writes => recordChanges(writes, ctx, [change]))
}

/**
 * Makes and signs the proof of play of an ad.
 * @throws ProblemError 404; 410 `plays-gone`; 413 `proof-too-large`; 422 for an unknown zone; 503 `proof-key`, `disk-full`
 */
export async function makeProof(
  context: Context,
  ctx: RequestContext,
  { asked, signal }: { asked: Asked; signal: AbortSignal | undefined },
): Promise<MadeProof> {
  const media = await readPlays(context, ctx.scope, reads => checkProof(reads, asked))
  const signer = await openSigner(context, ctx)
  if (await context.incoming.isFull()) throw new ProblemError('disk-full', { retryAfterSeconds: 60 })
  const handle = await openNamelessFile(context.settings.dataDir)
  try {
    const writer = new ProofWriter(handle)
    const { counts, restored } = await readPlays(context, ctx.scope, async reads => ({
      counts: await writePlays(reads, { asked, writer, signal }),
      restored: summarizeRestored(await listRestoredDays(reads, asked, ctx.now)),
    }))
    const { publicUrl } = context.settings
    const { uid, name, contentType, clientName } = media
    const manifest: ProofManifest = {
      format: PROOF_FORMAT,
      client: { uid: ctx.scope.clientId, name: clientName },
      keyId: signer.keyId,
      publicKey: signer.publicKey,
      madeAt: ctx.now.toISOString(),
      server: { url: publicUrl, version: release.version },
      filters: { media: { uid, name, contentType } },
      period: { from: asked.from, to: asked.to, zone: asked.zone },
      counts,
      ...(restored && { restored }),
      formula: PROOF_FORMULA,
      file: writer.endCsv(),
    }
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
    const bytes = await writer.end(text, signer.sign(text))
    await recordProof(ctx, manifest)
    return { handle, bytes, manifest }
  } catch (error) {
    await handle.close()
    throw error
  }
}
