import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { copyGroup as copyEndpoint } from '@floorcast/contract/groups.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { orNotFound } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type Changes, recordChange } from '../audit/audit.ts'
import { copyTagsAndProfiles, insertGroup, lockGroup } from './groups-queries.ts'

/** Copies a group, paused, with its tags and profiles and without its devices. @returns the uid of the copy */
export const copyGroup = (
  ctx: RequestContext,
  { uid: from, name }: BodyOf<typeof copyEndpoint>,
): Promise<string> =>
  ctx.scope.write(async writes => {
    const { kind, description } = orNotFound(await lockGroup(writes, from))
    const uid = uuidV7()
    await insertGroup(writes, { uid, clientId: ctx.scope.clientId, kind, name, description }, ctx.now)
    const copied = await copyTagsAndProfiles(writes, { from, to: uid }, ctx.now)
    const changes: Changes = {
      copyOf: [null, from],
      tags: [null, copied.tags],
      profiles: [null, copied.profiles],
    }
    await recordChange(writes, ctx, { action: 'clone', entity: 'group', uid, name, changes })
    return uid
  })
