import { locales, type LocaleCode } from '@floorcast/contract/locales.ts'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { MinFreeDisk } from '../storage/disk-space.ts'
import { MailFrom, type MailSettings, SmtpUrl } from './mail-settings.ts'
import type { S3Settings } from '../storage/s3-client.ts'
import { BaseAddress, ClientAddress, OriginList, TrustProxy } from './address-settings.ts'
import { plainStoreSetting, S3_NEEDS, s3Environment, s3SettingsOf } from './s3-settings.ts'
import { TraceHeaders, type TraceSettings, traceSettingsOf, TraceShare } from './trace-settings.ts'

const BYTES_PER_UNIT = { MB: 1e6, GB: 1e9 }

/** Parses `5%`, `2GB` or `500MB`. */
function parseMinFreeDisk(text: string): MinFreeDisk {
  const amount = Number.parseFloat(text)
  if (text.endsWith('%')) return { share: amount / 100, atLeastBytes: 0, atMostBytes: Infinity }
  const bytes = amount * BYTES_PER_UNIT[text.endsWith('GB') ? 'GB' : 'MB']
  return { share: 0, atLeastBytes: bytes, atMostBytes: bytes }
}

const languages = locales.map(({ code }) => code)

/** pg knows no list of machines, and no `target_session_attrs`. */
const PostgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
  .refine(
    url => URL.canParse(url) && !new URL(url).hostname.includes(','),
    'must be postgres://USER:PASSWORD@HOST:PORT/DATABASE with one host, and with %40 for @, %2F for / and so on in the password. Several machines need a proxy that follows the primary: docs/operate/postgresql-pair.md',
  )

/** Every setting by its name in the environment. `.env.example` describes each. */
export const Environment = z.object({
  PORT: z.coerce.number('must be a number').int().min(0).max(65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform(folder => resolve(folder)),
  SECRET_KEY_FILE: z
    .string()
    .transform(file => resolve(file))
    .optional(),
  MIN_FREE_DISK: z
    .string()
    .regex(/^(\d{1,2}(\.\d+)?%|100%|\d{1,6}(\.\d+)?[MG]B)$/, 'must be a share (5%) or a size (500MB, 2GB)')
    .transform(parseMinFreeDisk)
    // PostgreSQL's log grows by files of 16 MB, and the database ends without room for one.
    .default({ share: 0.05, atLeastBytes: 128e6, atMostBytes: 2e9 }),
  AUDIT_DAYS: z.coerce.number('must be a number').int().min(30).max(36_500).default(730),
  BACKUP_TARGET: z
    .string()
    .transform(folder => resolve(folder))
    .optional(),
  BACKUP_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day by UTC, such as 02:30')
    .default('02:30'),
  BACKUP_KEEP: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(1000, 'must be at most 1000')
    .default(14),
  HOT_DAYS: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(8, 'must be at least 8')
    .max(400, 'must be at most 400')
    .optional(),
  ...s3Environment,
  DATABASE_URL: PostgresUrl.optional(),
  DATABASE_READ_URL: PostgresUrl.optional(),
  READ_MAX_AGE: z.coerce.number('must be a number').int().min(2, 'must be at least 2').max(3600).default(30),
  ALLOW_SUPERUSER: z.enum(['yes', 'no'], 'must be yes or no').default('no'),
  ROLE: z.enum(['all', 'api', 'stream'], 'must be all, api or stream').default('all'),
  PUBLIC_URL: BaseAddress.optional(),
  API_URL: BaseAddress.optional(),
  CONSOLE_ORIGINS: OriginList.default([]),
  STREAM_URL: ClientAddress.optional(),
  OTHER_STREAM_URL: ClientAddress.optional(),
  LOGS_URL: BaseAddress.optional(),
  MANUAL_URL: BaseAddress.optional(),
  TERMS_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://shop.example/terms' })
    .optional(),
  SUPPORT_EMAIL: z.email('must be an email address').optional(),
  SUPPORT_BOT: z
    .url({ protocol: /^(https?|tg)$/, error: 'must be an address such as https://t.me/your_bot' })
    .optional(),
  REGISTRATION: z.enum(['open', 'closed'], 'must be open or closed').default('open'),
  API_DOCS: z.enum(['open', 'closed'], 'must be open or closed').default('open'),
  DEMO_LANGUAGE: z.enum(languages, `must be one of ${languages.join(', ')}`).default('en'),
  SMTP_URL: SmtpUrl.optional(),
  MAIL_FROM: MailFrom.optional(),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal'],
      'must be trace, debug, info, warn, error or fatal',
    )
    .default('info'),
  METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, 'must have at least 16 characters and no spaces')
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: BaseAddress.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: TraceHeaders.default({}),
  OTEL_TRACES_SAMPLER_ARG: TraceShare.default(1),
  DRAIN_SECONDS: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(600, 'must be at most 600')
    .default(10),
  TRUST_PROXY: TrustProxy,
  WEBHOOKS_TO_PRIVATE: z.enum(['true', 'false'], 'must be true or false').default('false'),
  MAX_CONNECTIONS: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(10, 'must be at least 10')
    .optional(),
})

/** Pairs of settings: the first one is needed with the second. */
const NEEDS = [['SMTP_URL', 'MAIL_FROM'], ['MAIL_FROM', 'SMTP_URL'], ...S3_NEEDS] as const

/** The settings of the installation, read once at the start. Addresses have no slash at the end; folders are absolute. */
export interface Settings {
  /** 0: any free port. */
  port: number
  host: string
  dataDir: string
  /** The key of the installation, which all of its servers have. */
  secretKeyFile: string
  minFreeDisk: MinFreeDisk
  /** The days for which entries of the audit are kept. */
  auditDays: number
  /** The daily backup: its folder, time of day (`HH:MM`, UTC), and how many stay; null: the server makes none. */
  backup: { target: string; at: string; keep: number } | null
  /** After so many days single plays go into the archive; null: they stay in the database. */
  hotDays: number | null
  /** Null: files are in `dataDir`. */
  s3: S3Settings | null
  /** Null: the embedded database in `dataDir`. */
  databaseUrl: string | null
  /** The standby that reports read, and the seconds by which its rows may be older; null: they read the primary. */
  readStandby: { url: string; maxAgeSeconds: number } | null
  /** Whether the user of DATABASE_URL may be a superuser. */
  allowSuperuser: boolean
  role: 'all' | 'api' | 'stream'
  /** The address under which users and devices reach this server. */
  publicUrl: string
  /** The address to which the console sends its calls. It may have a path, which a proxy takes away. */
  apiUrl: string
  /** Origins beside that of `publicUrl` whose pages may call this server. */
  consoleOrigins: readonly string[]
  /** Of the streaming host. Like the next one it may have `{client}`: `addressOf`. */
  streamUrl: string
  /** The address that devices try when theirs does not answer; null: none. */
  otherStreamUrl: string | null
  /** The address to which the console sends its `/device/logs` calls. */
  logsUrl: string
  /** The address of the manual, with one folder for each language; null: the console has no link to it. */
  manualUrl: string | null
  /** The address of the terms of use; null: the console's own page has them. */
  termsUrl: string | null
  supportEmail: string | null
  supportBot: string | null
  registration: 'open' | 'closed'
  /** Whether anyone may read the description of the API. */
  apiDocs: 'open' | 'closed'
  /** In which a demonstration is made. */
  demoLanguage: LocaleCode
  /** Null: there is no mail server. Links are shown to the admin, and registration confirms no email. */
  mail: MailSettings | null
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'
  /** The token for /metrics; null: there is no such page. */
  metricsToken: string | null
  /** Null: there are no traces. */
  traces: TraceSettings | null
  /** For how long a server that stops serves while it says that it is not ready. */
  drainSeconds: number
  /** False, the number of proxies in a row, or their addresses and networks, separated by commas. */
  trustProxy: false | number | string
  /** Webhooks may have addresses that are not public, and plain http. */
  webhooksMayBePrivate: boolean
  /** Connections that are open at a time; null: as many as the limit of open files lets in, up to 20,000. */
  maxConnections: number | null
}

/** Wrong settings; the message has a line for each. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

const isHttps = (address: string | undefined) => /^https:/i.test(address ?? '')

/**
 * Reads the settings from the environment. An empty variable counts as absent.
 * @throws SettingsError with every wrong setting
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const alone = NEEDS.filter(([name, other]) => given[name] === undefined && given[other] !== undefined)
  const parsed = Environment.safeParse(given)
  const hasNoPrimary = given['DATABASE_READ_URL'] !== undefined && given['DATABASE_URL'] === undefined
  const isMixed = isHttps(given['PUBLIC_URL']) && given['API_URL'] !== undefined && !isHttps(given['API_URL'])
  const plainStore = plainStoreSetting(given)
  if (parsed.success && alone.length === 0 && !isMixed && !hasNoPrimary && plainStore === null)
    return settingsOf(parsed.data)
  const lines = [
    ...(parsed.error?.issues ?? []).map(issue => `${issue.path.join('.')}: ${issue.message}`),
    ...(hasNoPrimary ? ['DATABASE_READ_URL: is a standby of DATABASE_URL, which is not set'] : []),
    ...(isMixed ? ['API_URL: must be https, as PUBLIC_URL is: browsers refuse anything else there'] : []),
    ...(plainStore === null
      ? []
      : [`${plainStore}: must be https with S3_REDIRECT=yes, as PUBLIC_URL is. Set S3_PUBLIC_ENDPOINT`]),
    ...alone.map(([name, other]) => `${name}: is needed with ${other}. Set both, or neither`),
  ]
  throw new SettingsError(lines.map(line => `Wrong setting ${line}`).join('\n'))
}

function settingsOf(environment: z.output<typeof Environment>): Settings {
  const publicUrl = environment.PUBLIC_URL ?? `http://localhost:${environment.PORT}`
  const apiUrl = environment.API_URL ?? publicUrl
  return {
    port: environment.PORT,
    host: environment.HOST,
    dataDir: environment.DATA_DIR,
    secretKeyFile: environment.SECRET_KEY_FILE ?? join(environment.DATA_DIR, 'secret.key'),
    minFreeDisk: environment.MIN_FREE_DISK,
    auditDays: environment.AUDIT_DAYS,
    backup: environment.BACKUP_TARGET
      ? { target: environment.BACKUP_TARGET, at: environment.BACKUP_AT, keep: environment.BACKUP_KEEP }
      : null,
    hotDays: environment.HOT_DAYS ?? null,
    s3: s3SettingsOf(environment),
    databaseUrl: environment.DATABASE_URL ?? null,
    readStandby: environment.DATABASE_READ_URL
      ? { url: environment.DATABASE_READ_URL, maxAgeSeconds: environment.READ_MAX_AGE }
      : null,
    allowSuperuser: environment.ALLOW_SUPERUSER === 'yes',
    role: environment.ROLE,
    publicUrl,
    apiUrl,
    consoleOrigins: environment.CONSOLE_ORIGINS,
    streamUrl: environment.STREAM_URL ?? publicUrl,
    otherStreamUrl: environment.OTHER_STREAM_URL ?? null,
    logsUrl: environment.LOGS_URL ?? apiUrl,
    manualUrl: environment.MANUAL_URL ?? null,
    termsUrl: environment.TERMS_URL ?? null,
    supportEmail: environment.SUPPORT_EMAIL ?? null,
    supportBot: environment.SUPPORT_BOT ?? null,
    registration: environment.REGISTRATION,
    apiDocs: environment.API_DOCS,
    demoLanguage: environment.DEMO_LANGUAGE,
    mail:
      environment.SMTP_URL && environment.MAIL_FROM
        ? { ...environment.SMTP_URL, from: environment.MAIL_FROM }
        : null,
    logLevel: environment.LOG_LEVEL,
    metricsToken: environment.METRICS_TOKEN ?? null,
    traces: traceSettingsOf(environment),
    drainSeconds: environment.DRAIN_SECONDS,
    trustProxy: environment.TRUST_PROXY,
    webhooksMayBePrivate: environment.WEBHOOKS_TO_PRIVATE === 'true',
    maxConnections: environment.MAX_CONNECTIONS ?? null,
  }
}
