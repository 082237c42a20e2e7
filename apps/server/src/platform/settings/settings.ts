import { resolve } from 'node:path'
import { z } from 'zod'

const address = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform(text => text.replace(/\/+$/, ''))

/** Every setting by its name in the environment. `.env.example` says what each is for. */
const Environment = z
  .object({
    PORT: z.coerce.number('must be a number').int().min(0).max(65_535).default(8080),
    HOST: z.string().default('127.0.0.1'),
    DATA_DIR: z
      .string()
      .default('./data')
      .transform(folder => resolve(folder)),
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
      .optional(),
    ROLE: z.enum(['all', 'api', 'stream'], 'must be all, api or stream').default('all'),
    PUBLIC_URL: address.optional(),
    STREAM_URL: address.optional(),
    LOGS_URL: address.optional(),
    MANUAL_URL: address.optional(),
    S3_ENDPOINT: address.optional(),
    S3_BUCKET: z.string().optional(),
    S3_REGION: z.string().default('us-east-1'),
    S3_ACCESS_KEY_ID: z.string().optional(),
    S3_SECRET_ACCESS_KEY: z.string().optional(),
    SUPPORT_EMAIL: z.email('must be an email address').optional(),
    SUPPORT_BOT: z.string().optional(),
    REGISTRATION: z.enum(['open', 'closed'], 'must be open or closed').default('open'),
    LOG_LEVEL: z
      .enum(
        ['trace', 'debug', 'info', 'warn', 'error', 'fatal'],
        'must be trace, debug, info, warn, error or fatal',
      )
      .default('info'),
    TRUST_PROXY: z
      .string()
      .default('false')
      .transform(text => (text === 'true' ? true : text === 'false' ? false : text)),
  })
  .superRefine((environment, context) => {
    if (!environment.S3_ENDPOINT) return
    for (const name of ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const) {
      if (!environment[name])
        context.addIssue({ code: 'custom', path: [name], message: 'is needed with S3_ENDPOINT' })
    }
  })

/** The installation's settings, read once at the start. Addresses end without a slash, folders are absolute. */
export interface Settings {
  /** 0: any free port. */
  port: number
  host: string
  dataDir: string
  /** Null: the embedded database in `dataDir`. */
  databaseUrl: string | null
  role: 'all' | 'api' | 'stream'
  /** How users and devices reach this server. */
  publicUrl: string
  streamUrl: string
  logsUrl: string
  /** Null: the manual that the server itself serves. */
  manualUrl: string | null
  /** Null: files in a folder of `dataDir`. */
  s3: {
    endpoint: string
    bucket: string
    region: string
    accessKeyId: string
    secretAccessKey: string
  } | null
  supportEmail: string | null
  supportBot: string | null
  registration: 'open' | 'closed'
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'
  /** True, false, or the proxies' addresses, separated by commas. */
  trustProxy: boolean | string
}

/** A setting that cannot be used; the message has one line for each, with its name. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/**
 * Reads the settings from the environment. An empty variable counts as absent.
 * @throws SettingsError naming every wrong one.
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`)
    throw new SettingsError(lines.map(line => `Wrong setting ${line}`).join('\n'))
  }
  return settingsOf(parsed.data)
}

function settingsOf(environment: z.output<typeof Environment>): Settings {
  const publicUrl = environment.PUBLIC_URL ?? `http://localhost:${environment.PORT}`
  return {
    port: environment.PORT,
    host: environment.HOST,
    dataDir: environment.DATA_DIR,
    databaseUrl: environment.DATABASE_URL ?? null,
    role: environment.ROLE,
    publicUrl,
    streamUrl: environment.STREAM_URL ?? publicUrl,
    logsUrl: environment.LOGS_URL ?? publicUrl,
    manualUrl: environment.MANUAL_URL ?? null,
    s3: s3Of(environment),
    supportEmail: environment.SUPPORT_EMAIL ?? null,
    supportBot: environment.SUPPORT_BOT ?? null,
    registration: environment.REGISTRATION,
    logLevel: environment.LOG_LEVEL,
    trustProxy: environment.TRUST_PROXY,
  }
}

function s3Of(environment: z.output<typeof Environment>): Settings['s3'] {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = environment
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return null
  return {
    endpoint: S3_ENDPOINT,
    bucket: S3_BUCKET,
    region: environment.S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  }
}
