import { z } from 'zod'

/** The mail server and the sender of mails. No log line may have it: it holds a password. */
export interface MailSettings {
  host: string
  port: number
  /** TLS from the first byte (smtps). Otherwise STARTTLS. */
  isSecure: boolean
  login: { user: string; password: string } | null
  from: { name: string; address: string }
}
type MailServer = Omit<MailSettings, 'from'>

const SMTP_FORM = 'must be smtp://user:password@host:587 or smtps://user:password@host:465'
const SMTP_PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 }

/** @returns what is wrong as text: never a part of the URL, which holds a password */
function parseMailServer(text: string): MailServer | string {
  const url = URL.canParse(text) ? new URL(text) : null
  const port = SMTP_PORTS[url?.protocol ?? '']
  if (url === null || port === undefined || url.hostname === '')
    return `${SMTP_FORM}. Write other characters than letters and digits of user and password as %40 (@), %2F (/) and so on`
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '')
    return `${SMTP_FORM}, and nothing after the port. Write / ? # in a password as %2F %3F %23`
  if ((url.username === '') !== (url.password === '')) return 'must have a user and a password, or neither'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const common = {
    host,
    port: url.port === '' ? port : Number(url.port),
    isSecure: url.protocol === 'smtps:',
  }
  try {
    const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
    return { ...common, login: user === '' ? null : { user, password } }
  } catch {
    return 'has a % in its user or password that is none of a code. Write % as %25'
  }
}

export const SmtpUrl = z.string().transform((text, issues) => {
  const server = parseMailServer(text)
  if (typeof server !== 'string') return server
  issues.addIssue({ code: 'custom', message: server })
  return z.NEVER
})

const NAMED_ADDRESS = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^<>\s]+)>|([^<>\s]+))$/u

export const MailFrom = z.string().transform((text, issues) => {
  const [, name = '', named, bare = ''] = NAMED_ADDRESS.exec(text.trim()) ?? []
  const address = z.email().safeParse(named ?? bare)
  if (address.success) return { name, address: address.data }
  issues.addIssue({
    code: 'custom',
    message: 'must be floorcast@example.com or Floorcast <floorcast@example.com>',
  })
  return z.NEVER
})
