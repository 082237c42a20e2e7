import en from '@floorcast/locales/catalogues/en/demo.json' with { type: 'json' }
import type { LocaleCode } from '@floorcast/locales/locales.ts'
import { readCatalogues } from '@floorcast/locales/read-catalogues.ts'

const catalogues = readCatalogues('demo', en)

export type DemoTexts = typeof en

/** The names and descriptions of the demonstration in a language. */
export const demoTexts = (language: LocaleCode): DemoTexts => catalogues[language]
