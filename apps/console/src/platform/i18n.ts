import {
  chooseLanguage,
  findLanguage,
  locales,
  type Locale,
  type LocaleCode,
} from '@floorcast/contract/locales.ts'
import i18next, { type TFunction } from 'i18next'
import { useMemo } from 'react'
import words from 'virtual:words'
import { readStored, writeStored } from './storage.ts'
import { createStore, useStore } from './store.ts'
import { waitForNetwork } from './load-part.ts'
import { wordsParts, type WordsFile, type WordsPart } from './words-parts.ts'

const key = 'floorcast.language'
const available = locales.filter(({ code }) => `${code}-auth` in words)
const language = createStore<Locale>(chooseFirst())
const shownParts = new Set<WordsPart>(['auth'])
/** The language that is shown next, while its texts come. */
let coming = language.get()

/** The stored language, or the best one for the browser. */
function chooseFirst(): Locale {
  const stored = readStored(key)
  const codes = available.map(({ code }) => code)
  return findLanguage(codes.find(code => code === stored) ?? chooseLanguage(navigator.languages, codes))
}

/** Loads the texts of /login; call once before the first render. */
export async function startI18n(): Promise<void> {
  // At the end of a sentence "15 Min." keeps one full stop, as people write.
  i18next.use({
    type: 'postProcessor',
    name: 'stops',
    process: (text: string) => text.replace(/\0(\u2069?)\.?/g, '$1'),
  })
  await i18next.init({
    fallbackLng: false,
    defaultNS: 'common',
    ns: [],
    // React escapes texts. A Latin name inside an Arabic sentence needs isolation. \0 marks a full stop until the sentence is whole.
    interpolation: { escape: value => isolate(value.replace(/\.$/, '.\0')) },
    postProcess: 'stops',
  })
  const wanted = language.get()
  await loadLanguage(wanted).catch(async () => {
    await loadLanguage(findLanguage('en'))
    void comeLater(wanted)
  })
}

/** Shows a language whose texts could not be loaded once they can, unless another one is chosen meanwhile. */
async function comeLater(wanted: Locale): Promise<void> {
  await waitForNetwork()
  if (coming.code !== 'en') return
  await loadLanguage(wanted).catch(() => {
    coming = findLanguage('en')
    return comeLater(wanted)
  })
}

/** Keeps a name's own direction from turning the sentence around it (Unicode isolates). */
export function isolate(value: string): string {
  return language.get().dir === 'rtl' ? `\u2068${value}\u2069` : value
}

/**
 * Changes and stores the language: texts, writing direction, `lang`.
 * @returns whether its texts could be loaded; if not, nothing changes
 */
export async function showLanguage(code: LocaleCode): Promise<boolean> {
  const next = findLanguage(code)
  try {
    await loadLanguage(next)
    writeStored(key, code)
    return true
  } catch {
    coming = language.get()
    return false
  }
}

/** Letters that only one language has, for machines without a font of it; each page fetches what it shows. */
const fonts: Partial<Record<LocaleCode, () => Promise<unknown>>> = {
  cn: () => import('./chinese-font.css'),
}

async function loadLanguage(next: Locale): Promise<void> {
  coming = next
  // A page is read without them too, where the machine has its own.
  void fonts[next.code]?.().catch(() => undefined)
  await Promise.all([...shownParts].map(part => addCatalogue(next, part)))
  await i18next.changeLanguage(next.tag)
  language.set(next)
  document.documentElement.lang = next.tag
  document.documentElement.dir = next.dir
}

async function addCatalogue({ code, tag }: Locale, part: WordsPart): Promise<void> {
  const files = await words[`${code}-${part}`]?.()
  for (const [namespace, texts] of Object.entries(files?.default ?? {}))
    i18next.addResourceBundle(tag, namespace, texts)
}

/** Loads parts of the texts in the chosen language, and in the one that comes. */
export async function loadWords(...parts: readonly WordsPart[]): Promise<void> {
  for (const part of parts) shownParts.add(part)
  const languages = new Set([language.get(), coming])
  await Promise.all([...languages].flatMap(each => parts.map(part => addCatalogue(each, part))))
}

/** The chosen language, outside components. */
export const currentLanguage = (): Locale => language.get()

/** The chosen language and all available ones. */
export function useLanguage(): { language: Locale; available: readonly Locale[] } {
  return { language: useStore(language), available }
}

/** `t('save')` from common.json: no prefix takes the first one. */
const namespaces: readonly ['common', ...WordsFile[]] = ['common', ...Object.values(wordsParts).flat()]

/** `t('save')` from common.json, `t('devices:title')` from devices.json; keys are checked by the compiler. */
export type Translate = TFunction<typeof namespaces>

/** Returns `t` of the chosen language in a component. */
export function useTranslate(): { t: Translate; tag: string } {
  const { tag } = useStore(language)
  return useMemo(() => ({ t: i18next.getFixedT(tag, namespaces), tag }), [tag])
}

/** Returns `t` outside components, for toasts. */
export function currentTranslate(): { t: Translate; tag: string } {
  return { t: i18next.getFixedT(null, namespaces), tag: i18next.language }
}
