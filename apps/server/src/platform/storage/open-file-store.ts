import { join } from 'node:path'
import type { Log } from '../log/log.ts'
import { FileStoreAwayError, type FileStore } from './file-store.ts'
import type { IncomingFiles } from './incoming-files.ts'
import { openLocalFileStore } from './local-file-store.ts'
import type { S3Settings } from './s3-client.ts'

interface StoreSettings {
  dataDir: string
  s3: S3Settings | null
}

/** Opens the store of the settings. The libraries of S3 are loaded only where a bucket is set. */
export async function openFileStore(
  { dataDir, s3 }: StoreSettings,
  incoming: IncomingFiles,
  requireOwn: () => Promise<void> = () => Promise.resolve(),
): Promise<FileStore> {
  if (s3 === null) return openLocalFileStore(join(dataDir, 'media'))
  const { openS3FileStore } = await import('./s3-file-store.ts')
  const { openSignedAddresses } = await import('./signed-addresses.ts')
  return openS3FileStore(s3, incoming, { requireOwn, signed: await openSignedAddresses(s3) })
}

/**
 * Opens the store of this installation. With a store that is away the server starts all the same, for alerts and reports: before it then
 * writes anything, the store is looked at again. @throws Error that names the setting which the store refuses
 */
export async function openOwnFileStore(
  settings: StoreSettings,
  { incoming, installationUid, log }: { incoming: IncomingFiles; installationUid: string; log: Log },
): Promise<FileStore> {
  const { s3 } = settings
  if (s3 === null) return openFileStore(settings, incoming)
  const { requireOwnBucket } = await import('./s3-checks.ts')
  let checked: Promise<void> | null = null
  const requireOwn = () =>
    (checked ??= requireOwnBucket(s3, installationUid).catch((error: unknown) => {
      checked = null
      throw error
    }))
  await requireOwn().catch((error: unknown) => {
    if (!(error instanceof FileStoreAwayError)) throw error
    log.error(
      { err: error },
      'the store of files (S3_ENDPOINT) is away: uploads and downloads fail until it is back',
    )
  })
  return openFileStore(settings, incoming, requireOwn)
}
