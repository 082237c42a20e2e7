import { z } from 'zod'
import { locales } from './locales.ts'

/** SPEC's codes of the console's languages. */
export const Language = z.enum(locales.map(({ code }) => code))
export type Language = z.infer<typeof Language>

/** The id of an item: UUID version 7, made by the server. */
export const Uid = z.uuid()
export type Uid = z.infer<typeof Uid>

/** A moment: ISO 8601 in UTC with Z. */
export const Instant = z.iso.datetime({ precision: null })
/** A calendar day without a zone: YYYY-MM-DD. */
export const Day = z.iso.date()
/** A wall time of day without a zone: HH:MM, 00:00 to 23:59. */
export const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'time-of-day')
/** A file's SHA-256 in lower-case hex. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'sha256')
/** A duration in seconds, with fractions. */
export const Seconds = z.number().nonnegative()
/** A size in bytes. */
export const Bytes = z.int().nonnegative()

/** The kind of a device, group, playlist or publication. */
export const Kind = z.enum(['audio', 'video'])
export type Kind = z.infer<typeof Kind>
/** `{x}` of qlist, qfree and selectlist. */
export const KindFilter = z.enum(['all', ...Kind.options])
export type KindFilter = z.infer<typeof KindFilter>

/** The kind of a block of a smart playlist's day. */
export const BlockKind = z.enum(['melody', 'ad'])
export type BlockKind = z.infer<typeof BlockKind>

// With the commas and dots of Arabic and Chinese.
const NAME = /^[\p{L}\p{M}\p{N} .,_\-'&+،，、·]*$/u
const NOT_IN_A_NAME = /[^\p{L}\p{M}\p{N} .,_\-'&+،，、·]+/gu
// With the punctuation of all languages of the console.
const DESCRIPTION = /^[\p{L}\p{M}\p{N} .,_\-'&+،，、·:;!?()/%"№؛؟。：；！？（）“”„«»「」…–—\n]*$/u
const STORE_NUMBER = /^[\p{L}\p{M}\p{N} .,_\-'&+#/№]*$/u
/** Word processors write the typographic apostrophe: Кам’янець, L’Atelier. */
const straightenApostrophes = (text: string) => text.replaceAll(/[‘’]/g, "'")

/** A text as a name may have it, of any length: ’ becomes ', and a space stands for each other sign that no name has. */
export const toNameText = (text: string): string =>
  straightenApostrophes(text.normalize('NFC')).replaceAll(NOT_IN_A_NAME, ' ').replaceAll(/ +/g, ' ').trim()

const codePoints = (text: string) => [...text].length

/** 3–50 code points of letters, marks, digits, space and . , _ - ' & + ، ， 、 ·; trimmed, NFC, ’ becomes '. Messages are locale keys. */
export const Name = z
  .string()
  .normalize('NFC')
  .overwrite(straightenApostrophes)
  .trim()
  .refine(text => text !== '', 'empty')
  .refine(text => text === '' || codePoints(text) >= 3, 'too-short')
  .refine(text => codePoints(text) <= 50, 'too-long')
  .refine(text => NAME.test(text), 'special-characters')

/** Empty, or 3–150 code points like a name's, : ; ! ? ( ) / % " № and such signs of other scripts, and line feeds. */
export const Description = z
  .string()
  .normalize('NFC')
  .overwrite(straightenApostrophes)
  .trim()
  .refine(text => text === '' || codePoints(text) >= 3, 'too-short')
  .refine(text => codePoints(text) <= 150, 'too-long')
  .refine(text => DESCRIPTION.test(text), 'special-characters')

/** The shop's own number: empty, or up to 32 code points like a name's and # / №; trimmed, NFC. */
export const StoreNumber = z
  .string()
  .normalize('NFC')
  .trim()
  .refine(text => codePoints(text) <= 32, 'too-long')
  .refine(text => STORE_NUMBER.test(text), 'special-characters')

/** An email address; spaces around it are taken off, capital letters become small ones. */
export const Email = z.string().trim().toLowerCase().pipe(z.email('email').max(254, 'too-long'))
/** 10–200 characters. The server also refuses common passwords and words of the email. */
export const NewPassword = z.string().min(10, 'password-too-short').max(200, 'too-long')
/** The caller's own password, in a change that asks for it. */
export const OwnPassword = z.string().min(1, 'empty').max(200, 'too-long')

/** One or more values of a filter, separated by commas: `linkdown,linklost`. */
export const valuesOf = <const Values extends readonly string[]>(values: Values) =>
  z
    .string()
    .transform(text => text.split(','))
    .pipe(z.array(z.enum(values)).min(1).max(values.length))

/** Maximum values of one filter. */
export const MAX_FILTER_VALUES = 50

/** One or more values of a filter that no list names beforehand, separated by commas. */
export const someOf = (value: z.ZodType<string, string>) =>
  z
    .string()
    .transform(text => text.split(','))
    .pipe(z.array(value).min(1).max(MAX_FILTER_VALUES, 'too-many'))

/** Uids of a filter, separated by commas; `none` among them finds what has none. */
export const UidsOrNone = someOf(z.union([z.literal('none'), Uid]))

/** A whole number of a path or a query, in digits: `1e2`, `0x10` and ` 5` are refused. */
const wholeNumber = (value: unknown) =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
export const queryInt = (min: number, max: number) => z.preprocess(wholeNumber, z.int().min(min).max(max))

/** The query of a call that turns a state, which the caller has seen. */
export const seenState = <State extends z.ZodType>(state: State) =>
  z.object({
    from: state
      .optional()
      .describe(
        'The state that the caller has seen: HTTP 409 if another one has changed it meanwhile. Without it the call turns what it finds: two calls at once turn it twice, both with success.',
      ),
  })

/** The query of every list; a list adds its filters. */
export const ListQuery = z.object({
  /** Which page, from 1. */
  page: queryInt(1, 1_000_000).default(1),
  /** Items of a page, at most 200. */
  size: queryInt(1, 200).default(10),
  /** Words that an item has, in any order; at most 10. */
  search: z.string().max(200).default(''),
  /** The column to sort by; each list has one of its own by default, and refuses those that it has not. */
  sort: z.string().max(40).optional(),
  /** The direction of the sort. */
  dir: z.enum(['asc', 'desc']).default('asc'),
})
export type ListQuery = z.infer<typeof ListQuery>

/** What a page of a list has beside its items. */
export const ListPage = z.object({
  /** The items of all pages; it stops at 10,000 for a search, in audit and logs always. */
  total: z.int().nonnegative(),
  /** Which page this is, from 1. */
  page: z.int(),
  /** The items that a page has at most. */
  size: z.int(),
  /** There are more than `total`. */
  more: z.boolean().optional(),
})

/** One page of a list. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), ...ListPage.shape })

/** An item by uid and name. */
export const Reference = z.object({
  uid: Uid,
  /** Its present name. */
  name: z.string(),
})
export type Reference = z.infer<typeof Reference>

/** What the user may do with an item by role and rights. Refusals by its state are outcomes. */
export const Permissions = z.object({
  /** False also after the end of the subscription. */
  mayEdit: z.boolean(),
  /** False also after the end of the subscription. */
  mayDelete: z.boolean(),
})
