import { LINK_HOURS } from '@floorcast/contract/users.ts'
import {
  chooseLanguage,
  findLanguage,
  readAcceptLanguage,
  type LocaleCode,
} from '@floorcast/contract/locales.ts'
import en from '@floorcast/locales/catalogues/en/mails.json' with { type: 'json' }
import { readCatalogues } from '@floorcast/locales/read-catalogues.ts'
import type { LinkEnds, PlanRequestMail, PreparedMail } from '../../platform/database/mail-queries.ts'
import type { Mail } from '../../platform/mail/mail-transport.ts'

const catalogues = readCatalogues('mails', en)
const available = Object.keys(catalogues)

/** The language of the mails that a call causes: the first of its `Accept-Language` that has a catalogue; otherwise English. */
export const mailLanguage = (header: string | undefined): LocaleCode =>
  chooseLanguage(readAcceptLanguage(header), available)

const HOUR_MS = 3_600_000
const hoursAfter = (at: Date, hours: number) => new Date(at.getTime() + hours * HOUR_MS)

/** When the links of a mail that is sent now end. The texts (`until`) say the same. */
export const linkEnds = (at: Date): LinkEnds => ({
  registration: hoursAfter(at, 24),
  forgotten: hoursAfter(at, 1),
  others: hoursAfter(at, LINK_HOURS),
})

/** The page that each mail opens. The token is after the #, so that no server and no proxy logs it. */
const pages = {
  registration: (token: string) => `/login#confirm=${token}`,
  invitation: (token: string) => `/login#invite=${token}`,
  reset: (token: string) => `/login#invite=${token}`,
  forgotten: (token: string) => `/login#invite=${token}`,
  taken: () => '/login',
} as const

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, sign => `&#${sign.codePointAt(0)};`)

/** An address inside right-to-left text keeps its own direction (Unicode isolates). */
const isolate = (text: string) => `\u2068${text}\u2069`

export interface MailDraft extends PreparedMail {
  language: string
  publicUrl: string
  token: string
}

export type MailContent = Omit<Mail, 'to'>

const localeOf = (language: string) => findLanguage(language in catalogues ? (language as LocaleCode) : 'en')

/**
 * Writes a mail, as plain text and as HTML without pictures and without tracking. It holds nothing that a stranger wrote: the
 * names of a registration could make a message of it. The email of an admin is confirmed.
 */
export function writeMail({ variant, inviter, language, publicUrl, token }: MailDraft): MailContent {
  const locale = localeOf(language)
  const catalogue = catalogues[locale.code]
  const words = catalogue[variant]
  const admin = locale.dir === 'rtl' ? isolate(inviter ?? '') : (inviter ?? '')
  const link = publicUrl + pages[variant](token)
  const intro = words.intro.replace('{{inviter}}', () => admin)
  const { subject, action, until, ignore } = words
  const linkLine = catalogue.link.replace('{{action}}', () => action).replace('{{link}}', () => link)
  const href = escapeHtml(link)
  return {
    subject,
    text: toText([intro, linkLine, until, ignore]),
    html: toHtml(locale, subject, [
      escapeHtml(intro),
      `<a href="${href}">${escapeHtml(action)}</a>`,
      code(link),
      escapeHtml(until),
      escapeHtml(ignore),
    ]),
  }
}

/** The mail by which the operator learns which plan a client wants. Names of clients are not in it: see `writeMail`. */
export function writePlanRequest(request: PlanRequestMail & { language: string }): MailContent {
  const locale = localeOf(request.language)
  const { subject, intro, command } = catalogues[locale.code].planRequest
  const { email, planKey } = request
  const shown = locale.dir === 'rtl' ? isolate(email) : email
  const fill = (text: string) => text.replace('{{email}}', () => shown).replace('{{plan}}', () => planKey)
  const explanation = command.replace('{{until}}', 'UNTIL').replace('{{list}}', 'npm run admin -- requests')
  const line = `npm run admin -- subscription ${email} ${planKey} UNTIL`
  return {
    subject: fill(subject),
    text: toText([fill(intro), explanation, line]),
    html: toHtml(locale, fill(subject), [escapeHtml(fill(intro)), escapeHtml(explanation), code(line)]),
  }
}

const toText = (paragraphs: readonly string[]) => [...paragraphs, '--\nFloorcast', ''].join('\n\n')

/** A link or command: left to right in every language. */
const code = (text: string) => `<span dir="ltr" style="word-break:break-all">${escapeHtml(text)}</span>`

/** @param paragraphs HTML */
const toHtml = (
  { tag, dir }: { tag: string; dir: string },
  subject: string,
  paragraphs: readonly string[],
) => `<!doctype html>
<html lang="${tag}" dir="${dir}">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body dir="${dir}" style="margin:0;padding:24px;font:16px/1.5 sans-serif">
${paragraphs.map(content => `<p style="margin:0 0 16px">${content}</p>`).join('\n')}
<p>Floorcast</p>
</body>
</html>
`
