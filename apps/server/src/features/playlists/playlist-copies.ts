import { copyName } from '@floorcast/contract/names.ts'
import { orNotFound } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { LongObject } from '../../platform/lib/json-pieces.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type Changes, recordChange } from '../audit/audit.ts'
import { writeM3u } from './m3u.ts'
import { copyItems, copyPlaylist, findSource, listSourceItems } from './playlist-copy-queries.ts'
import { lockPlaylist } from './playlist-writes-queries.ts'
import { cloneSmartPlaylist, readSmartSource } from '../smart-playlists/smart-playlists.ts'

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
    const changes: Changes = { copyOf: [null, from], items: [null, items] }
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
