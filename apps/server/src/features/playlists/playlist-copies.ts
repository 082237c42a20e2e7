import { Description, Kind, Name } from '@floorcast/contract/fields.ts'
import { kindOfMedia } from '@floorcast/contract/media.ts'
import { copyName } from '@floorcast/contract/names.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { orNotFound, OutcomeError, ProblemError, wrongField } from '../../platform/lib/errors.ts'
import { INLINE_BYTES, readInThread } from '../../platform/http/large-body.ts'
import { type FilePart, type FormPart, parseField } from '../../platform/http/multipart.ts'
import { WorkerThreads } from '../../platform/lib/worker-threads.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { LongObject } from '../../platform/lib/json-pieces.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type Changes, recordChange } from '../audit/audit.ts'
import { toItemName } from '../uploads/uploads.ts'
import { decodePercent, type M3u, readM3u, writeM3u } from './m3u.ts'
import {
  copyItems,
  copyPlaylist,
  findSource,
  holdFilesNamed,
  insertItems,
  listSourceItems,
  type NamedFile,
} from './playlist-copy-queries.ts'
import { insertPlaylist, lockPlaylist } from './playlist-writes-queries.ts'
import { cloneSmartPlaylist, readSmartSource } from '../smart-playlists/smart-playlists.ts'

const MAX_BYTES = 5 * 1024 * 1024
const MAX_MISSING = 200

/**
 * Copies a playlist with all items. The copy is paused; the day of a smart one is planned again. With the purpose `edit`, the
 * copy will replace the original on the air. @returns its uid
 * @throws OutcomeError notDone
 */
export async function clonePlaylist(
  ctx: RequestContext,
  from: string,
  { purpose, name: given }: { purpose: 'copy' | 'edit'; name?: string | undefined },
): Promise<string> {
  return ctx.scope.write(async writes => {
    const original = orNotFound(await lockPlaylist(writes, from))
    const name = given ?? copyName(original.name)
    const editOfUid = purpose === 'edit' ? from : null
    if (original.form === 'smart') return cloneSmartPlaylist(writes, ctx, { uid: from, name, editOfUid })
    const uid = uuidV7()
    await copyPlaylist(writes, original, { uid, name, editOfUid, at: ctx.now })
    const items = await copyItems(writes, from, uid)
    const changes: Changes = { from: [null, from], items: [null, items] }
    if (editOfUid !== null) changes['editOf'] = [null, editOfUid]
    await recordChange(writes, ctx, { action: 'clone', entity: 'playlist', uid, name, changes })
    return uid
  })
}

/** A smart playlist's draft, or a simple one's entries as M3U8 text; for an answer in pieces. */
export async function readPlaylistSource(ctx: RequestContext, uid: string): Promise<LongObject> {
  const source = await ctx.scope.readTogether(async reads => {
    const { name, form } = orNotFound(await findSource(reads, uid))
    if (form === 'smart') return { form, name, ...(await readSmartSource(reads, uid)), m3u8: null }
    const m3u8 = writeM3u(name, await listSourceItems(reads, uid))
    return { form, name, draft: null, tracks: [], changedMedia: [], m3u8 }
  })
  return new LongObject(Object.entries(source))
}

interface ListForm {
  name?: string
  description: string
  kind?: Kind
  list?: M3u & { fileName: string }
}

const tooLarge = (detail: string) => new ProblemError(413, 'too-large', { detail })

async function readBytes(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > MAX_BYTES) throw tooLarge(`An M3U file has at most ${MAX_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const threads = new WorkerThreads({
  program: new URL('./m3u-worker.ts', import.meta.url),
  heapMegabytes: 256,
})

/** Parses a list, a large one in a worker thread. @throws OutcomeError onlyM3u; ProblemError 413 */
async function readList({ scope, signal }: RequestContext, { fileName, bytes: sent }: FilePart) {
  const bytes = await readBytes(sent)
  const list =
    bytes.length <= INLINE_BYTES
      ? readM3u(fileName, bytes)
      : await readInThread<M3u | null>(
          { threads, data: { fileName } },
          { bytes, clientId: scope.clientId, signal },
        )
  if (!list) throw new OutcomeError('onlyM3u', { names: [fileName] })
  return { ...list, fileName }
}

/** @throws OutcomeError onlyM3u, notDone for a list without entries; ProblemError 413, 422 */
async function readListForm(
  ctx: RequestContext,
  parts: AsyncIterable<FormPart>,
): Promise<ListForm & Required<Pick<ListForm, 'list'>>> {
  const form: ListForm = { description: '' }
  for await (const part of parts) {
    if (part.type === 'file') form.list = await readList(ctx, part)
    else if (part.name === 'name') form.name = parseField(Name, 'name', part.value)
    else if (part.name === 'description')
      form.description = parseField(Description, 'description', part.value)
    else if (part.name === 'kind') form.kind = parseField(Kind, 'kind', part.value)
  }
  const { list } = form
  if (!list) throw wrongField('file', 'empty')
  if (list.fileNames.length === 0) throw new OutcomeError('notDone', { reason: 'playlist-empty' })
  return { ...form, list }
}

interface Match {
  kind: Kind
  mediaUids: string[]
  missing: string[]
}

/** An entry's name as it stands, then as other programs percent-encode it. */
const spellingsOf = (name: string) => [...new Set([name, decodePercent(name)])]

/** Regardless of case, by capitals: ς and σ, ß and SS, and the Turkish i with and without its dot are alike. */
const foldCase = (name: string) => name.normalize('NFC').toUpperCase().replaceAll('İ', 'I')

/** Finds the media item of each entry by its exact name, else regardless of case, else by its decoded name. */
function match(kind: Kind, fileNames: readonly string[], files: readonly NamedFile[]): Match {
  const exact = new Map<string, string>()
  const folded = new Map<string, string>()
  for (const { uid, originalName, contentType } of files.toReversed()) {
    if (kindOfMedia(contentType) !== kind) continue
    exact.set(originalName, uid)
    folded.set(foldCase(originalName), uid)
  }
  const found = fileNames.map(name => {
    const uids = spellingsOf(name).map(spelling => exact.get(spelling) ?? folded.get(foldCase(spelling)))
    return { name, uid: uids.find(uid => uid !== undefined) }
  })
  return {
    kind,
    mediaUids: found.flatMap(({ uid }) => uid ?? []),
    missing: [...new Set(found.flatMap(({ name, uid }) => (uid === undefined ? name : [])))],
  }
}

/** Matches the files of the given kind, or of the kind with the fewest missing files. @throws OutcomeError filesMissing */
async function matchFiles(writes: Writes, { kind, list }: ListForm & { list: M3u }): Promise<Match> {
  const files = await holdFilesNamed(writes, [...new Set(list.fileNames.flatMap(spellingsOf))])
  const kinds = kind ? [kind] : (['audio', 'video'] as const)
  const [best] = kinds
    .map(one => match(one, list.fileNames, files))
    .toSorted((a, b) => a.missing.length - b.missing.length)
  if (!best || best.missing.length > 0)
    throw new OutcomeError('filesMissing', { names: best?.missing.slice(0, MAX_MISSING) ?? [] })
  return best
}

function nameOf({ name, list }: ListForm & { list: M3u & { fileName: string } }): string {
  if (name !== undefined) return name
  const own = Name.safeParse(list.name ?? '')
  return own.success ? own.data : toItemName(list.fileName)
}

/**
 * Adds a paused simple playlist from an M3U list whose files are all in the library. @returns its uid
 * @throws OutcomeError onlyM3u, filesMissing, notDone; ProblemError 413, 415, 422
 */
export async function importM3u(ctx: RequestContext, parts: AsyncIterable<FormPart>): Promise<string> {
  const form = await readListForm(ctx, parts)
  const uid = uuidV7()
  await ctx.scope.write(async writes => {
    const { kind, mediaUids } = await matchFiles(writes, form)
    const name = nameOf(form)
    const playlist = { uid, clientId: ctx.scope.clientId }
    await insertPlaylist(writes, { ...playlist, kind, name, description: form.description }, ctx.now)
    await insertItems(writes, { ...playlist, count: 0 }, mediaUids)
    const items: [unknown, unknown] = [null, mediaUids.length]
    await recordChange(writes, ctx, { action: 'import', entity: 'playlist', uid, name, changes: { items } })
  })
  return uid
}
