import type { Language } from '@floorcast/contract/fields.ts'
import type { ReportEnum } from '@floorcast/contract/report-columns.ts'
import type { ReportName } from '@floorcast/contract/reports.ts'
import type { ReportNote } from '@floorcast/contract/report-calls.ts'
import en from '@floorcast/locales/catalogues/en/reports.json' with { type: 'json' }
import { findLanguage, type Locale } from '@floorcast/contract/locales.ts'
import { readCatalogues } from '@floorcast/locales/read-catalogues.ts'
import type { FileColumn } from './report.ts'

/** What a file has; the page 'Reports' alone has the texts under `screen`, with plurals of each language. */
type ReportCatalogue = Omit<typeof en, 'screen'>

const catalogues = readCatalogues<ReportCatalogue>('reports', en)

/** The texts of a report's file in one language. */
export class ReportTexts {
  readonly locale: Locale
  readonly #texts: ReportCatalogue

  constructor(language: Language) {
    this.locale = findLanguage(language)
    this.#texts = catalogues[language]
  }

  title(name: ReportName): string {
    return this.#texts.names[name]
  }

  label(key: 'deviceZones' | 'madeAt' | 'page' | 'period' | 'rows' | 'totals' | 'zone'): string {
    return this.#texts[key]
  }

  filter(key: keyof (typeof en)['filters']): string {
    return this.#texts.filters[key]
  }

  number(value: number): string {
    return new Intl.NumberFormat(`${this.locale.tag}-u-nu-latn`).format(value)
  }

  heading({ key, title }: FileColumn): string {
    return title ?? textAt(this.#texts.columns, key)
  }

  valueOf(values: ReportEnum, name: string): string {
    return textAt(this.#texts.values[values], name)
  }

  note({ code, values = {} }: ReportNote): string {
    return textAt(this.#texts.notes, code).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) =>
      String(values[name] ?? ''),
    )
  }
}

/** @throws Error for a key without a text, which a test finds */
function textAt(texts: Readonly<Record<string, string>>, key: string): string {
  const text = texts[key]
  if (text === undefined) throw new Error(`reports.json has no text for ${key}`)
  return text
}
