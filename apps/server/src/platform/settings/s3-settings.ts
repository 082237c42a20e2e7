import { z } from 'zod'
import type { S3Settings } from '../storage/s3-client.ts'

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

const StoreAddress = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://s3.example' })
  .refine(text => !/[?#@]/.test(text), 'must be an address without a user, ? and #')
  .transform(text => text.replace(/\/+$/, ''))

/** The settings of the store by their names in the environment. The secret is never a part of a message. */
export const s3Environment = {
  S3_BUCKET: z
    .string()
    .regex(BUCKET, 'must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens')
    .optional(),
  S3_ENDPOINT: StoreAddress.optional(),
  S3_REDIRECT: z.enum(['yes', 'no'], 'must be yes or no').default('no'),
  S3_PUBLIC_ENDPOINT: StoreAddress.optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]{1,40}$/, 'must be the name of a region, such as eu-central-1')
    .default('us-east-1'),
  S3_ACCESS_KEY_ID: z
    .string()
    .regex(/^\S{3,}$/, 'must have no spaces')
    .optional(),
  S3_SECRET_ACCESS_KEY: z
    .string()
    .regex(/^\S{3,}$/, 'must have no spaces')
    .optional(),
}

type S3Environment = z.output<z.ZodObject<typeof s3Environment>>

/** Pairs of settings: the first one is needed with the second. */
export const S3_NEEDS = [
  ['S3_BUCKET', 'S3_ENDPOINT'],
  ['S3_BUCKET', 'S3_REGION'],
  ['S3_BUCKET', 'S3_REDIRECT'],
  ['S3_REDIRECT', 'S3_PUBLIC_ENDPOINT'],
  ['S3_BUCKET', 'S3_ACCESS_KEY_ID'],
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID'],
] as const

export function s3SettingsOf(environment: S3Environment): S3Settings | null {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = environment
  if (bucket === undefined) return null
  const endpoint = environment.S3_ENDPOINT ?? null
  return {
    endpoint,
    bucket,
    region: environment.S3_REGION,
    key: id !== undefined && secret !== undefined ? { id, secret } : null,
    ...(environment.S3_REDIRECT === 'yes' && {
      redirectTo: { endpoint: environment.S3_PUBLIC_ENDPOINT ?? endpoint },
    }),
  }
}

/** Redirects from https to http, which browsers and devices refuse: the setting to change; null if there are none. */
export function plainStoreSetting(given: Record<string, string | undefined>): string | null {
  const isHttps = [given['PUBLIC_URL'], given['API_URL'], given['STREAM_URL']].some(url =>
    url?.startsWith('https:'),
  )
  if (!isHttps || given['S3_REDIRECT'] !== 'yes') return null
  const name = given['S3_PUBLIC_ENDPOINT'] === undefined ? 'S3_ENDPOINT' : 'S3_PUBLIC_ENDPOINT'
  return given[name]?.startsWith('http:') ? name : null
}
