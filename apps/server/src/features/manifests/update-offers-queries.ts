import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'

/** A released package that an active deploy package puts before a group through an open channel, signed or not. */
export interface Offer {
  groupUid: string
  deployUid: string
  isForced: boolean
  packageUid: string
  name: string
  category: string
  version: string
  channelName: string
  /** The client's key for the signatures of the files. */
  publicKey: string | null
  /** In the order in which they were added to the package. */
  files: OfferFile[]
}

export interface OfferFile {
  uid: string
  name: string
  sha256: string
  sizeBytes: number
  signature: string | null
  statement: string | null
  statementSignature: string | null
}

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
      'sizeBytes', f.size_bytes, 'signature', f.signature, 'statement', f.statement,
      'statementSignature', f.statement_signature) order by l.uid)
    from update_package_files l join update_files f on f.uid = l.file_uid where l.package_uid = p.uid), '[]')`

/** Reads the offers in one statement, so that packages and files are consistent. */
export async function listOffers(reads: Reads, groupUids: readonly string[]): Promise<Offer[]> {
  if (groupUids.length === 0) return []
  const { rows } = await sql<Offer>`
    select cg.group_uid, dp.uid as deploy_uid, dp.state = 'forced' as is_forced, p.uid as package_uid, p.name,
      p.category, p.version, c.name as channel_name, ${FILES} as files,
      (select k.update_public_key from clients k where k.uid = p.client_id) as public_key
    from ${offers(anyOf(groupUids))} order by dp.uid`.execute(reads)
  return rows
}

/** The program versions that these devices have reported. */
export async function readProgramVersions(
  reads: Reads,
  deviceUids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ deviceUid: string; programVersion: string }>`
    select device_uid, program_version from device_states
    where device_uid = any(${deviceUids}::uuid[]) and program_version is not null`.execute(reads)
  return new Map(rows.map(row => [row.deviceUid, row.programVersion]))
}
