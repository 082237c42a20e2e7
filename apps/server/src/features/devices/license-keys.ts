import { randomInt } from 'node:crypto'
import { Readable } from 'node:stream'
import type { CsvSeparator } from '@floorcast/contract/csv.ts'
import type { DeviceCard } from '@floorcast/contract/devices.ts'
import { installerPath } from '@floorcast/contract/installer-path.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Session } from '../../platform/auth/session.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../platform/lib/csv.ts'
import { notFound } from '../../platform/lib/errors.ts'
import { addressOf, isByClient } from '../../platform/settings/address-settings.ts'
import { recordChange } from '../audit/audit.ts'
import { type KeyedDevices, type KeyRow, findClientName, listKeys } from './license-keys-queries.ts'

/** Letters and digits that people do not confuse on paper or by telephone: no 0 O 1 I L, no U V. */
const SIGNS = '23456789ABCDEFGHJKMNPQRSTWXYZ'
const GROUPS = 6
const SIGNS_A_GROUP = 5

/**
 * A license key: six groups of five signs, 145 random bits, such as `7KQ2M-XA4TR-…`. Keys of earlier releases have five
 * groups. It is stored in clear, because users read it from the device's card; a bound key opens nothing for another player.
 */
export function makeLicenseKey(): string {
  const group = () => Array.from({ length: SIGNS_A_GROUP }, () => SIGNS[randomInt(SIGNS.length)]).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/**
 * The key of a device's card, and the command that installs the agent: with the key until a player has bound it, without it
 * afterwards. Anyone with a key that no player has bound can bind it.
 */
export function keyOnCard(
  { rights, clientId }: Session,
  { licenseKey, licenseBoundAt }: { licenseKey: string; licenseBoundAt: string | null },
  { publicUrl, streamUrl, updateKey }: { publicUrl: string; streamUrl: string; updateKey: string | null },
): Pick<DeviceCard, 'licenseKey' | 'installLine' | 'reinstallLine'> {
  const isBound = licenseBoundAt !== null
  const noLines = { installLine: null, reinstallLine: null }
  if (rights !== 'full') return { licenseKey: isBound ? licenseKey : null, ...noLines }
  const options = [
    ...(isBound ? [] : [`--key ${licenseKey}`]),
    ...(updateKey === null ? [] : [`--update-key ${updateKey}`]),
    // The script has the address that is the same for all clients.
    ...(isByClient(streamUrl) ? [`--server ${addressOf(streamUrl, clientId)}`] : []),
    ...([publicUrl, streamUrl].every(url => url.startsWith('https:')) ? [] : ['--insecure']),
  ]
  const line = `curl -fsSL ${publicUrl}${installerPath('en')} | ${['sh -s --', ...options].join(' ')}`
  return { licenseKey, ...noLines, [isBound ? 'reinstallLine' : 'installLine']: line }
}

/** Rows of one statement: a file of 100,000 devices needs the memory of these. */
const ROWS_A_STATEMENT = 2000
const HEADINGS = ['Name', 'Store number', 'Group', 'Licence key', 'Bound']

const cellsOf = ({ name, storeNumber, group, licenseKey }: KeyRow) => [
  name,
  storeNumber,
  group ?? '',
  licenseKey ?? '',
  licenseKey === null ? 'yes' : 'no',
]

interface KeyFile {
  devices: KeyedDevices
  separator: CsvSeparator
}

async function* linesOf(ctx: RequestContext, { devices, separator }: KeyFile, first: KeyRow[]) {
  yield BYTE_ORDER_MARK + csvLine(HEADINGS, separator)
  let rows = first
  for (;;) {
    yield rows.map(row => csvLine(cellsOf(row), separator)).join('')
    const after = rows.at(-1)
    if (!after || rows.length < ROWS_A_STATEMENT) return
    rows = await listKeys(ctx.scope.reads, devices, { after, max: ROWS_A_STATEMENT, now: ctx.now })
  }
}

/**
 * The license keys of devices as csv, read while it is sent. The audit records that a user has taken them.
 * @throws ProblemError 404 if none of the named devices, or of the import's, exists
 */
export async function exportLicenseKeys(
  ctx: RequestContext,
  devices: KeyedDevices,
  separator: CsvSeparator,
): Promise<Readable> {
  const first = await listKeys(ctx.scope.reads, devices, { after: null, max: ROWS_A_STATEMENT, now: ctx.now })
  if (first.length === 0 && !('filter' in devices)) throw notFound()
  await ctx.scope.write(async writes =>
    recordChange(writes, ctx, {
      action: 'export-license-keys',
      entity: 'client',
      uid: ctx.scope.clientId,
      name: await findClientName(writes),
      changes: { devices: [null, describe(devices)] },
    }),
  )
  return Readable.from(linesOf(ctx, { devices, separator }, first), { objectMode: false })
}

/** What the audit says of a selection: uids would fill it. */
function describe(devices: KeyedDevices): object {
  if ('uids' in devices) return { selected: devices.uids.length }
  if ('importUid' in devices) return devices
  return { filter: devices.filter, except: devices.except.length }
}
