import { z } from 'zod'
import { findLanguage, type LocaleCode } from './locales.ts'

/** What separates the cells of a csv file. With semicolons the decimals of its numbers have commas. */
export const csvSeparators = ['comma', 'semicolon'] as const
export const CsvSeparator = z.enum(csvSeparators)
export type CsvSeparator = z.infer<typeof CsvSeparator>

const hasDecimalComma = (tag: string) =>
  new Intl.NumberFormat(tag).formatToParts(0.5).some(({ type, value }) => type === 'decimal' && value === ',')

/** The separator that spreadsheets of a language read: with decimal commas, semicolons stand between the cells. */
export const csvSeparatorOf = (language: LocaleCode): CsvSeparator =>
  hasDecimalComma(findLanguage(language).tag) ? 'semicolon' : 'comma'

/*
 * A spreadsheet runs a cell as a formula that begins with one of these signs; the wide ones are those of East Asian keyboards. One
 * that reads another separator than the file's begins a cell in the middle of a text. An apostrophe before the sign keeps it a text.
 */

/** As PostgreSQL and JavaScript read it. */
export const FORMULA_SIGNS = '[-=+@\\t\\r＝＋－＠]'
/** After these signs some spreadsheet begins a cell. */
export const CELL_ENDS = '[,;\\t\\r\\n]'

const AT_BEGIN = new RegExp(`^(?='*${FORMULA_SIGNS})`)
const INSIDE = new RegExp(`(${CELL_ENDS})(?='*${FORMULA_SIGNS})`, 'g')
const GUARDED_AT_BEGIN = new RegExp(`^'(?='*${FORMULA_SIGNS})`)
const GUARDED_INSIDE = new RegExp(`(${CELL_ENDS})'(?='*${FORMULA_SIGNS})`, 'g')

/** A text of a csv cell that no spreadsheet runs. */
export const guardFormulas = (text: string): string => text.replace(INSIDE, "$1'").replace(AT_BEGIN, "'")

/** The text that `guardFormulas` has made safe. Other texts stay, but lose an apostrophe before such a sign. */
export const readGuarded = (text: string): string =>
  text.replace(GUARDED_INSIDE, '$1').replace(GUARDED_AT_BEGIN, '')
