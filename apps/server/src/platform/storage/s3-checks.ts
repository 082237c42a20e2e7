import { randomUUID } from 'node:crypto'
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { z } from 'zod'
import { FileStoreAwayError } from './file-store.ts'
import { isAway, isMissingObject, openS3, type S3Settings, shortCall, statusOf } from './s3-client.ts'

/** Carries the name of the installation that has the bucket. */
export const MARKER = 'floorcast-installation.json'
const Marker = z.object({ installation: z.string() })

/** Stores refuse what was signed a quarter of an hour before or after. */
const MAX_CLOCK_OFFSET_MS = 5 * 60_000

/** This machine's clock minus the store's at each answer, in milliseconds. */
function watchClock(s3: S3Client): () => number {
  let offsetMs = 0
  s3.middlewareStack.add(
    next => async args => {
      const result = await next(args)
      const { headers } = result.response as { headers?: Record<string, string> }
      const date = Date.parse(headers?.['date'] ?? '')
      if (!Number.isNaN(date)) offsetMs = Date.now() - date
      return result
    },
    { step: 'deserialize', priority: 'low', name: 'watchClock' },
  )
  return () => offsetMs
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : '')

/** The marker's installation; null without a marker. */
async function readMarker(s3: S3Client, bucket: string): Promise<string | null> {
  try {
    const { Body: body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: MARKER }), shortCall())
    const parsed = Marker.safeParse(JSON.parse((await body?.transformToString()) ?? 'null'))
    return parsed.success ? parsed.data.installation : 'unknown'
  } catch (error) {
    if (isMissingObject(error) && nameOf(error) !== 'NoSuchBucket') return null
    if (error instanceof SyntaxError) return 'unknown'
    throw error
  }
}

const write = (s3: S3Client, object: { Bucket: string; Key: string }, installation: string) =>
  s3.send(
    new PutObjectCommand({
      ...object,
      Body: JSON.stringify({ installation }),
      ContentType: 'application/json',
    }),
    shortCall(),
  )

/** What the store's refusal says of a setting; null for others. */
function explain(error: unknown, { bucket, region, key }: S3Settings): string | null {
  const name = nameOf(error)
  if (name === 'CredentialsProviderError')
    return 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not set, and the environment gives no key of its own'
  if (name === 'InvalidAccessKeyId')
    return `S3_ACCESS_KEY_ID ${key?.id ?? ''}: the store does not know this key`
  if (name === 'SignatureDoesNotMatch')
    return `S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID ${key?.id ?? ''}`
  if (name === 'NoSuchBucket')
    return `S3_BUCKET ${bucket}: the store has no such bucket. Make it, closed to the public`
  if (
    /^(AuthorizationHeaderMalformed|PermanentRedirect|IllegalLocation.*)$/.test(name) ||
    statusOf(error) === 301
  )
    return `S3_REGION ${region} is not that of the bucket ${bucket}`
  if (statusOf(error) === 403)
    return `S3_BUCKET ${bucket}: the key may not read, write and delete files there (${name})`
  return null
}

/** @throws FileStoreAwayError; Error that names the setting to change */
async function explained<T>(settings: S3Settings, work: (s3: S3Client) => Promise<T>): Promise<T> {
  const s3 = openS3(settings)
  try {
    return await work(s3)
  } catch (error) {
    if (isAway(error)) throw new FileStoreAwayError(error)
    const words = explain(error, settings)
    throw words === null ? error : new Error(words, { cause: error })
  } finally {
    s3.destroy()
  }
}

/** @returns whether the bucket has the mark of this installation; false: it has none */
async function readOwnMark(s3: S3Client, bucket: string, installation: string): Promise<boolean> {
  const readOffset = watchClock(s3)
  const marked = await readMarker(s3, bucket).catch(error => {
    requireClock(readOffset())
    throw error
  })
  requireClock(readOffset())
  if (marked !== null && marked !== installation)
    throw new Error(
      `S3_BUCKET ${bucket} has the files of another installation (${marked}; this one is ${installation}). Set another bucket, or the database that belongs to it`,
    )
  return marked !== null
}

/**
 * Proves that the settings are right and that the bucket is this installation's: marks an unmarked one, writes and deletes.
 * @throws FileStoreAwayError; Error that names the setting to change
 */
export const requireOwnBucket = (settings: S3Settings, installation: string): Promise<void> =>
  explained(settings, async s3 => {
    const { bucket } = settings
    const isMarked = await readOwnMark(s3, bucket, installation)
    if (!isMarked) await write(s3, { Bucket: bucket, Key: MARKER }, installation)
    const proof = { Bucket: bucket, Key: `floorcast-start-${randomUUID()}` }
    await write(s3, proof, installation)
    await s3.send(new DeleteObjectCommand(proof), shortCall())
  })

/**
 * Looks whether the bucket is this installation's, and changes nothing.
 * @throws FileStoreAwayError; Error that names the setting to change
 */
export const lookAtBucket = (settings: S3Settings, installation: string): Promise<void> =>
  explained(settings, async s3 => {
    if (!(await readOwnMark(s3, settings.bucket, installation)))
      throw new Error(
        `S3_BUCKET ${settings.bucket} has no mark of this installation, which the start of a server makes`,
      )
  })

function requireClock(offsetMs: number): void {
  if (Math.abs(offsetMs) <= MAX_CLOCK_OFFSET_MS) return
  const minutes = Math.round(Math.abs(offsetMs) / 60_000)
  throw new Error(
    `The clock of this machine is ${minutes} minutes ${offsetMs > 0 ? 'ahead of' : 'behind'} that of the store at S3_ENDPOINT: set it right`,
  )
}
