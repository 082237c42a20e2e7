import ar from '@floorcast/locales/catalogues/ar/demo.json' with { type: 'json' }
import cn from '@floorcast/locales/catalogues/cn/demo.json' with { type: 'json' }
import de from '@floorcast/locales/catalogues/de/demo.json' with { type: 'json' }
import en from '@floorcast/locales/catalogues/en/demo.json' with { type: 'json' }
import es from '@floorcast/locales/catalogues/es/demo.json' with { type: 'json' }
import fr from '@floorcast/locales/catalogues/fr/demo.json' with { type: 'json' }
import pt from '@floorcast/locales/catalogues/pt/demo.json' with { type: 'json' }
import ru from '@floorcast/locales/catalogues/ru/demo.json' with { type: 'json' }
import ua from '@floorcast/locales/catalogues/ua/demo.json' with { type: 'json' }
import type { LocaleCode } from '@floorcast/locales/locales.ts'

const catalogues: Record<LocaleCode, typeof en> = { ar, cn, de, en, es, fr, pt, ru, ua }

export type DemoTexts = typeof en

/** The names and descriptions of the demonstration in a language. */
export const demoTexts = (language: LocaleCode): DemoTexts => catalogues[language]
