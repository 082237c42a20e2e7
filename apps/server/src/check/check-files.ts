import type { Client } from 'pg'
import { readAsBackup } from '../platform/backup/tables.ts'
import type { Settings } from '../platform/settings/settings.ts'
import type { S3Settings } from '../platform/storage/s3-client.ts'
import { type Finding, messageOf, right, TIMEOUT_MS, wrong } from './finding.ts'

const SEE = 'see docs/operate/files.md'

/** Whether the store of files takes the settings, and whether devices and pages get files from it where they are redirected. */
export async function checkFiles(client: Client, settings: Settings): Promise<Finding[]> {
  const { s3, dataDir } = settings
  if (s3 === null) return [right('files', `in ${dataDir}/media`)]
  const { lookAtBucket } = await import('../platform/storage/s3-checks.ts')
  await readAsBackup(client)
  const { rows } = await client.query<{ uid: string }>('select uid from installation_state')
  try {
    await lookAtBucket(s3, rows[0]?.uid ?? '')
  } catch (error) {
    return [wrong('files', messageOf(error))]
  }
  const inBucket = right('files', `in the bucket ${s3.bucket}, which is this installation's`)
  const { redirectTo } = s3
  if (redirectTo === undefined) return [inBucket]
  return [inBucket, ...(await checkRedirects({ ...s3, redirectTo }, settings))]
}

/** An answer to the first byte of an address, by which the store's own rules show. */
async function askFirstByte(address: string, origin?: string) {
  const answer = await fetch(address, {
    headers: { range: 'bytes=0-0', ...(origin !== undefined && { origin }) },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await answer.body?.cancel()
  return answer
}

async function checkRedirects(
  s3: S3Settings & Required<Pick<S3Settings, 'redirectTo'>>,
  { publicUrl, consoleOrigins }: Settings,
): Promise<Finding[]> {
  const { MARKER } = await import('../platform/storage/s3-checks.ts')
  const { signObject } = await import('../platform/storage/signed-addresses.ts')
  const address = await signObject(s3, MARKER)
  const { origin, pathname } = new URL(address)
  const answer = await askFirstByte(address).catch((error: unknown) => messageOf(causeOf(error)))
  if (typeof answer === 'string')
    return [
      wrong('redirects', `S3_PUBLIC_ENDPOINT: ${origin} cannot be reached from here (${answer}); ${SEE}`),
    ]
  if (answer.status !== 206)
    return [
      wrong(
        'redirects',
        `S3_PUBLIC_ENDPOINT: ${origin} answers a signed address with HTTP ${answer.status} instead of 206: does a proxy there change the name of the host, or the address? ${SEE}`,
      ),
    ]
  const unsigned = await askFirstByte(`${origin}${pathname}`)
  if (unsigned.ok)
    return [
      wrong(
        'redirects',
        `S3_BUCKET ${s3.bucket} is open: ${origin} sends its files to anybody. Close it to the public`,
      ),
    ]
  const origins = [...new Set([new URL(publicUrl).origin, ...consoleOrigins])]
  const cors = await Promise.all(origins.map(page => checkPage(address, page)))
  return [right('redirects', `${origin} sends files to devices, by signed addresses alone`), ...cors]
}

const causeOf = (error: unknown) => (error instanceof Error ? (error.cause ?? error) : error)

/** Whether the pages of an origin may read what the store sends. */
async function checkPage(address: string, page: string): Promise<Finding> {
  const { headers } = await askFirstByte(address, page)
  const allowed = headers.get('access-control-allow-origin')
  return allowed === '*' || allowed === page
    ? right('redirects', `pages of ${page} may read files there`)
    : wrong(
        'redirects',
        `Pages of ${page} may not read files of the store, so those that play get them from the server: allow GET for this origin in the bucket's CORS; ${SEE}`,
      )
}
