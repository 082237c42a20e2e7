import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'

/** A released package that an active deploy package offers to a group through an open channel. */
export interface Offer {
  groupUid: string
  deployUid: string
  isForced: boolean
  packageUid: string
  name: string
  category: string
  version: string
  channelName: string
  /** In the order in which they were added to the package. */
  files: OfferFile[]
}

export interface OfferFile {
  uid: string
  name: string
  sha256: string
  sizeBytes: number
  signature: string | null
}

/** The offers that devices get, with all conditions. */
const offers = (groupUids: RawBuilder<unknown>) => sql`
  update_channel_groups cg
  join update_channels c on c.uid = cg.channel_uid and c.state = 'open'
  join deploy_packages dp on dp.channel_uid = c.uid and dp.state <> 'paused'
  join update_packages p on p.uid = dp.package_uid and p.state = 'released'
  where cg.group_uid = ${groupUids}`

const anyOf = (uids: readonly string[]) => sql`any(${uids}::uuid[])`

const FILES = sql`
  coalesce((
    select jsonb_agg(jsonb_build_object('uid', f.uid, 'name', f.original_name, 'sha256', f.sha256,
      'sizeBytes', f.size_bytes, 'signature', f.signature) order by l.uid)
    from update_package_files l join update_files f on f.uid = l.file_uid where l.package_uid = p.uid), '[]')`

/** Reads the offers in one statement, so that packages and files are consistent. */
export async function listOffers(reads: Reads, groupUids: readonly string[]): Promise<Offer[]> {
  if (groupUids.length === 0) return []
  const { rows } = await sql<Offer>`
    select cg.group_uid, dp.uid as deploy_uid, dp.state = 'forced' as is_forced, p.uid as package_uid, p.name,
      p.category, p.version, c.name as channel_name, ${FILES} as files
    from ${offers(anyOf(groupUids))} order by dp.uid`.execute(reads)
  return rows
}

/** A file of any package that is offered to a group. */
export async function findOfferedFile(
  reads: Reads,
  wanted: { groupUid: string; uid: string; sha256: string },
): Promise<{ originalName: string; sizeBytes: number } | undefined> {
  const { rows } = await sql<{ originalName: string; sizeBytes: number }>`
    select f.original_name, f.size_bytes from update_files f
    where f.uid = ${wanted.uid} and f.sha256 = ${wanted.sha256} and exists (
      select from update_package_files l where l.file_uid = f.uid and l.package_uid in (
        select p.uid from ${offers(sql`${wanted.groupUid}`)}))`.execute(reads)
  return rows[0]
}
