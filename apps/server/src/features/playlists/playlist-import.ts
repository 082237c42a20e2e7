import { Description, Kind, Name } from '@floorcast/contract/fields.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { INLINE_BYTES, readInWorker } from '../../platform/http/receive/large-body.ts'
import { type FilePart, type FormPart, parseField } from '../../platform/http/receive/multipart.ts'
import { OutcomeError, ProblemError, wrongField } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { WorkerPool } from '../../platform/lib/worker-pool.ts'
import { recordChange } from '../audit/audit.ts'
import { toItemName } from '../uploads/uploads.ts'
import { findCodePage, matchTracks } from './m3u-tracks.ts'
import { type M3u, readM3u } from './m3u.ts'
import { insertItems } from './playlist-copy-queries.ts'
import { insertPlaylist } from './playlist-writes-queries.ts'

const MAX_BYTES = 5 * 1024 * 1024
const MAX_NAMES = 200

/** A list as it was sent. */
type SentList = M3u & {
  fileName: string
  /** No code page gives its names sense. */
  isUnreadable: boolean
}

interface ListForm {
  name?: string
  description: string
  kind?: Kind
  list?: SentList
}

const tooLarge = (detail: string) => new ProblemError('too-large', { detail })

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

const workers = new WorkerPool({
  program: new URL('./m3u-worker.ts', import.meta.url),
  runs: 'in a process',
  heapMegabytes: 256,
})

/** Parses a list, a large one in a worker. @throws OutcomeError onlyM3u; ProblemError 413 */
async function readList(
  { scope, signal }: RequestContext,
  { fileName, bytes: sent }: FilePart,
): Promise<SentList> {
  const bytes = await readBytes(sent)
  const parse = (codePage?: string) =>
    bytes.length <= INLINE_BYTES
      ? readM3u(fileName, bytes, codePage)
      : // The worker takes its bytes away.
        readInWorker<M3u | null>(
          { workers, data: { fileName, codePage } },
          { bytes: Buffer.from(bytes), clientId: scope.clientId, signal },
        )
  const list = await parse()
  if (!list) throw new OutcomeError('onlyM3u', { names: [fileName] })
  const { readings = [] } = list
  const codePage = await findCodePage(scope.reads, readings)
  const readable = codePage === null ? null : await parse(codePage)
  const isUnreadable = codePage === null && readings.some(({ fileNames }) => fileNames.length > 0)
  return { ...(readable ?? list), fileName, isUnreadable }
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
  if (list.entries.length === 0) throw new OutcomeError('notDone', { reason: 'playlist-empty' })
  return { ...form, list }
}

function nameOf({ name, list }: ListForm & { list: SentList }): string {
  if (name !== undefined) return name
  const own = Name.safeParse(list.name ?? '')
  return own.success ? own.data : toItemName(list.fileName)
}

/**
 * Adds a paused simple playlist from an M3U list whose files are all in the library.
 * @returns its uid, and the names that several items of the library have
 * @throws OutcomeError onlyM3u, filesMissing, notDone; ProblemError 413, 415, 422
 */
export async function uploadM3u(ctx: RequestContext, parts: AsyncIterable<FormPart>): Promise<Outcome> {
  const form = await readListForm(ctx, parts)
  const uid = uuidV7()
  const ambiguous = await ctx.scope.write(async writes => {
    const { kind, mediaUids, missing, ambiguous: names } = await matchTracks(writes, form.list, form.kind)
    if (missing.length > 0)
      throw new OutcomeError('filesMissing', {
        names: missing.slice(0, MAX_NAMES),
        ...(form.list.isUnreadable ? { reason: 'list-code-page' } : {}),
      })
    const name = nameOf(form)
    const playlist = { uid, clientId: ctx.scope.clientId }
    await insertPlaylist(writes, { ...playlist, kind, name, description: form.description }, ctx.now)
    await insertItems(writes, { ...playlist, count: 0 }, mediaUids)
    const items: [unknown, unknown] = [null, mediaUids.length]
    await recordChange(writes, ctx, { action: 'import', entity: 'playlist', uid, name, changes: { items } })
    return names
  })
  if (ambiguous.length === 0) return { code: 200, uid }
  return { code: 200, uid, reason: 'several-files', names: ambiguous.slice(0, MAX_NAMES) }
}
