import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { SignedAddresses, SignedAnswer } from './file-store.ts'
import { openS3, type S3Settings } from './s3-client.ts'
import { nameOf } from './s3-file-store.ts'

/** As long as a ticket. A download that has begun goes on after it. */
const VALID_SECONDS = 600

const sign = (s3: S3Client, object: { Bucket: string; Key: string }, answer?: SignedAnswer) =>
  getSignedUrl(
    s3,
    new GetObjectCommand({
      ...object,
      ...(answer && {
        ResponseContentType: answer.mimeType,
        ResponseContentDisposition: answer.disposition,
        // The address ends, and with it whatever a cache keeps under it. Nobody else's cache may have it.
        ResponseCacheControl: `private, max-age=${VALID_SECONDS}, immutable`,
      }),
    }),
    { expiresIn: VALID_SECONDS },
  )

/** An object's address at the store as others reach it. */
export async function signObject(
  { redirectTo, ...settings }: S3Settings & Required<Pick<S3Settings, 'redirectTo'>>,
  name: string,
): Promise<string> {
  const s3 = openS3({ ...settings, ...redirectTo })
  try {
    return await sign(s3, { Bucket: settings.bucket, Key: name })
  } finally {
    s3.destroy()
  }
}

/** Null without `redirectTo`. The client asks the store nothing: it knows the rules of AWS' addresses. */
export async function openSignedAddresses(settings: S3Settings): Promise<SignedAddresses | null> {
  const { redirectTo, bucket } = settings
  if (redirectTo === undefined) return null
  const s3 = openS3({ ...settings, ...redirectTo })
  // The key of a machine's role may come later; the address does not hang on it.
  const key = { id: 'any', secret: 'any' }
  return {
    origin: new URL(await signObject({ ...settings, redirectTo, key }, 'any')).origin,
    addressOf: (file, answer) => sign(s3, { Bucket: bucket, Key: nameOf(file) }, answer),
  }
}
