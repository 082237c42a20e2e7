import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { callbackify } from 'node:util'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { atTheEnd } from './at-the-end.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../mail/${name}`, import.meta.url))

/** The certificate of the test's mail server, for `localhost`, signed by itself. For tests only: its key is public. */
export const MAIL_CERTIFICATE = fixture('localhost-cert.pem')
const KEY = fixture('localhost-key.pem')

export const MAIL_LOGIN = { user: 'floorcast@shop.example', password: 'mail/secret 100%' }
const LOGIN = `${encodeURIComponent(MAIL_LOGIN.user)}:${encodeURIComponent(MAIL_LOGIN.password)}`

/** A mail that the server took, decoded. */
export interface ReceivedMail {
  envelope: { from: string; to: string[] }
  /** The headers by lower-case name. */
  headers: Map<string, string>
  subject: string
  text: string
  html: string
  /** The mail as it came. */
  raw: string
  isEncrypted: boolean
  user: string
}

/** This process trusts the mail server's certificate from now on. */
export function trustMailServer(): void {
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(MAIL_CERTIFICATE, 'utf8')])
}

function splitMail(mail: string): { headers: Map<string, string>; body: string } {
  const end = mail.indexOf('\r\n\r\n')
  const lines = mail
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return { headers, body: mail.slice(end + 4) }
}

const fromQuotedPrintable = (body: string) =>
  Buffer.from(
    body
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16))),
    'latin1',
  ).toString('utf8')

function decodeBody(part: string): string {
  const { headers, body } = splitMail(part)
  const encoding = headers.get('content-transfer-encoding')
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  return encoding === 'quoted-printable' ? fromQuotedPrintable(body) : body
}

/** RFC 2047: `=?UTF-8?B?…?=` and `=?UTF-8?Q?…?=`. */
const decodeHeader = (header: string) =>
  header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, form: string, content: string) =>
      form.toLowerCase() === 'b'
        ? Buffer.from(content, 'base64').toString('utf8')
        : fromQuotedPrintable(content.replaceAll('_', ' ')),
    )

function readMail(raw: string): Pick<ReceivedMail, 'headers' | 'subject' | 'text' | 'html' | 'raw'> {
  const { headers, body } = splitMail(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? 'none'
  const parts = body.split(`--${boundary}`).map(part => part.replace(/^\r\n/, ''))
  const partOf = (type: string) =>
    decodeBody(parts.find(part => part.includes(`Content-Type: ${type}`)) ?? '')
  const subject = decodeHeader(headers.get('subject') ?? '')
  return { headers, subject, text: partOf('text/plain'), html: partOf('text/html'), raw }
}

const refusal = (code: number) => Object.assign(new Error('not here'), { responseCode: code })

/** A mail server on a port of loopback that asks for STARTTLS and a login. It can refuse recipients, and be away. */
export class TestMailServer {
  readonly port: number
  readonly mails: ReceivedMail[] = []
  /** Every recipient that was tried, refused ones too. */
  readonly tried: string[] = []
  /** SMTP codes by recipient: at the recipient (`refuse`), or at the end of the mail (`reject`). */
  readonly refuse = new Map<string, number>()
  readonly reject = new Map<string, number>()
  #server: SMTPServer | null = null

  constructor(port: number) {
    this.port = port
  }

  /** The value of SMTP_URL for this server. */
  get url(): string {
    return `smtp://${LOGIN}@localhost:${this.port}`
  }

  async start(): Promise<void> {
    const server = new SMTPServer({
      cert: readFileSync(MAIL_CERTIFICATE),
      key: readFileSync(KEY),
      logger: false,
      closeTimeout: 100,
      onAuth: ({ username, password }, _, done) =>
        username === MAIL_LOGIN.user && password === MAIL_LOGIN.password
          ? done(null, { user: username })
          : done(refusal(535)),
      onRcptTo: ({ address }, _, done) => {
        this.tried.push(address)
        const code = this.refuse.get(address)
        done(code === undefined ? null : refusal(code))
      },
      onData: callbackify((stream: SMTPServerDataStream, session: SMTPServerSession) =>
        this.#take(stream, session),
      ),
    })
    this.#server = server
    // A client that breaks off is not a fault of the test.
    server.on('error', () => undefined)
    await new Promise<void>(resolve => void server.listen(this.port, '127.0.0.1', resolve))
  }

  async #take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const raw = await text(stream)
    const { mailFrom, rcptTo } = session.envelope
    const to = rcptTo.map(({ address }) => address)
    const code = this.reject.get(to[0] ?? '')
    if (code !== undefined) throw refusal(code)
    const envelope = { from: mailFrom === false ? '' : mailFrom.address, to }
    this.mails.push({ ...readMail(raw), envelope, isEncrypted: session.secure, user: String(session.user) })
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    if (server) await new Promise<void>(resolve => server.close(resolve))
  }

  /** The mails to an address, once there are `count`. */
  async mailsTo(address: string, count = 1): Promise<ReceivedMail[]> {
    const found = () => this.mails.filter(({ envelope }) => envelope.to.includes(address))
    await eventually(() => {
      if (found().length < count) throw new Error(`${address} has ${found().length} of ${count} mails`)
    })
    return found()
  }

  /** The newest mail to an address. */
  async mailTo(address: string, count = 1): Promise<ReceivedMail> {
    const mails = await this.mailsTo(address, count)
    const last = mails.at(-1)
    if (!last) throw new Error(`${address} has no mail`)
    return last
  }
}

/** Starts a mail server, which ends with the tests. */
export async function startMailServer(): Promise<TestMailServer> {
  const server = new TestMailServer(await freePort())
  await server.start()
  atTheEnd(() => server.stop())
  return server
}

/** The link in the plain text of a mail, and its token. */
export function linkOf(mail: ReceivedMail): { link: string; token: string } {
  const link = /https?:\/\/\S+/.exec(mail.text)?.[0] ?? ''
  return { link, token: link.split('=')[1] ?? '' }
}
