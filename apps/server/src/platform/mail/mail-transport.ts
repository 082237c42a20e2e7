import { isIPv4 } from 'node:net'
import { createTransport } from 'nodemailer'
import type { MailSettings } from '../settings/mail-settings.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

/**
 * A mail that was not sent. `refused`: the mail server will never take this mail; `later`: it does not take this one now;
 * `server`: it takes none, because it is away, or refuses the login or the sender. The message has no recipient and no secret.
 */
export class MailError extends Error {
  override readonly name = 'MailError'
  readonly fault: 'refused' | 'later' | 'server'

  constructor(fault: MailError['fault'], message: string) {
    super(message)
    this.fault = fault
  }
}

export interface MailTransport {
  /** @throws MailError; the signal ends it as a fault of the server */
  send(mail: Mail, signal: AbortSignal): Promise<void>
}

const SECOND_MS = 1000
const MAX_REASON_LENGTH = 300

/** Only this machine reads what goes to it. */
const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))

/** The connection's options: TLS and a verified certificate, except to a mail server on this machine that offers none. */
export function toSmtpOptions({ host, port, isSecure, login }: MailSettings) {
  return {
    host,
    port,
    secure: isSecure,
    requireTLS: !isSecure && !isLoopback(host),
    ...(login ? { auth: { user: login.user, pass: login.password } } : {}),
    connectionTimeout: 15 * SECOND_MS,
    greetingTimeout: 15 * SECOND_MS,
    dnsTimeout: 15 * SECOND_MS,
    socketTimeout: 60 * SECOND_MS,
    // A mail is text from this program: it names no file and no address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const OF_THIS_MAIL = ['RCPT TO', 'DATA']

function faultOf(error: Error & { responseCode?: unknown; command?: unknown }): MailError['fault'] {
  const { responseCode, command } = error
  if (typeof responseCode !== 'number' || !OF_THIS_MAIL.includes(String(command))) return 'server'
  return responseCode >= 500 ? 'refused' : 'later'
}

function toMailError(error: unknown, recipient: string | null): MailError {
  if (!(error instanceof Error)) return new MailError('server', String(error))
  const message = recipient === null ? error.message : error.message.replaceAll(recipient, 'the recipient')
  const reason = message.replaceAll(/\s+/g, ' ')
  return new MailError(faultOf(error), reason.slice(0, MAX_REASON_LENGTH))
}

/** Sends mails by SMTP, each on its own connection. */
export function openMailTransport(settings: MailSettings): MailTransport {
  const smtp = createTransport(toSmtpOptions(settings))
  return {
    send: async ({ to, ...content }, signal) => {
      const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }
      const mail = { from: settings.from, to: { name: '', address: to }, ...content, headers, signal }
      await smtp.sendMail(mail).catch((error: unknown) => {
        throw toMailError(error, to)
      })
    },
  }
}

/** Connects and signs in, and sends nothing. @throws MailError */
export async function verifyMailServer(settings: MailSettings): Promise<void> {
  const smtp = createTransport(toSmtpOptions(settings))
  try {
    await smtp.verify()
  } catch (error) {
    throw toMailError(error, null)
  } finally {
    smtp.close()
  }
}
