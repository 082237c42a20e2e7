import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'

/** The store of files by the protocol S3. No log line may have it: it holds a secret. */
export interface S3Settings {
  /** Null: that of AWS in the region. */
  endpoint: string | null
  bucket: string
  region: string
  /** Null: what the environment gives to programs of AWS, such as the role of the machine. */
  key: { id: string; secret: string } | null
  /** Where devices and browsers reach the store, if the server redirects them there; absent: it sends every file itself. */
  redirectTo?: Pick<S3Settings, 'endpoint'>
}

const CONNECT_MS = 5000
/** Without a byte for so long a connection is given up. A reader that pauses, such as a browser's player, asks again for the rest. */
const SILENCE_MS = 60_000
/** Devices that download through a server take one each. */
const MAX_CONNECTIONS = 256
const MAX_TRIES = 3
const SHORT_MS = 15_000

/** Options of a call without bytes: all its tries take no longer. */
export const shortCall = () => ({ abortSignal: AbortSignal.timeout(SHORT_MS) })

/** A client of the store. It retries what may be retried, for some seconds. */
export function openS3({ endpoint, region, key }: S3Settings): S3Client {
  return new S3Client({
    region,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(key !== null && { credentials: { accessKeyId: key.id, secretAccessKey: key.secret } }),
    maxAttempts: MAX_TRIES,
    // The sums that the client adds by itself are of AWS alone. A file is named by its hash, and its readers check it.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: { maxSockets: MAX_CONNECTIONS },
      httpsAgent: { maxSockets: MAX_CONNECTIONS },
    },
  })
}

/** The HTTP status of the store's answer; null if there was none. */
export const statusOf = (error: unknown): number | null =>
  error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? null) : null

export const isMissingObject = (error: unknown): boolean => statusOf(error) === 404

/** The store refuses the key, or its rights. */
export function isRefused(error: unknown): boolean {
  const status = statusOf(error)
  return status === 401 || status === 403
}

/** No answer, or one that says that the store has a fault of its own. */
export function isAway(error: unknown): boolean {
  const status = statusOf(error)
  if (status !== null) return status >= 500 || status === 429
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return /^E[A-Z_]+$/.test(code) || ['AbortError', 'TimeoutError'].includes(error.name)
}
