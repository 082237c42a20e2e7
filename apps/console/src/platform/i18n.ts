import { locales, type Locale, type LocaleCode } from '@floorcast/locales/locales.ts'
import i18next, { type TFunction } from 'i18next'
import { useMemo } from 'react'
import { chooseLanguage, findLanguage } from './languages.ts'
import { readStored, writeStored } from './storage.ts'
import { createStore, useStore } from './store.ts'

/** The words of one language by the path of their file. */
interface Catalogue {
  default: Record<string, Record<string, unknown>>
}

const key = 'floorcast.language'
const catalogues = import.meta.glob<Catalogue>('./catalogues/*.ts')
const available = locales.filter(({ code }) => `./catalogues/${code}.ts` in catalogues)
const language = createStore<Locale>(findLanguage('en'))
let isSignedInPart = false

/** Loads the words of the kept or the browser's language; call once before the first render. */
export async function startI18n(): Promise<void> {
  await i18next.init({
    fallbackLng: false,
    defaultNS: 'common',
    ns: [],
    // React escapes by itself; what needs care is a Latin name inside an Arabic sentence.
    interpolation: { escapeValue: true, escape: isolate },
    returnNull: false,
  })
  const codes = available.map(({ code }) => code)
  const stored = findStoredLanguage()
  await loadLanguage(stored ?? chooseLanguage(navigator.languages, codes))
}

/** Keeps a name's own direction from turning the sentence around it (Unicode isolates). */
function isolate(value: string): string {
  return language.get().dir === 'rtl' ? `\u2068${value}\u2069` : value
}

function findStoredLanguage(): LocaleCode | undefined {
  const stored = readStored(key)
  return available.find(({ code }) => code === stored)?.code
}

/** Changes the language: words, writing direction, `lang`; kept for the next visit. */
export async function changeLanguage(code: LocaleCode): Promise<void> {
  await loadLanguage(code)
  writeStored(key, code)
}

async function loadLanguage(code: LocaleCode): Promise<void> {
  const next = findLanguage(code)
  await Promise.all([addCatalogue(next, `${code}-auth`), isSignedInPart ? addCatalogue(next, code) : null])
  await i18next.changeLanguage(next.tag)
  language.set(next)
  document.documentElement.lang = next.tag
  document.documentElement.dir = next.dir
}

async function addCatalogue({ tag }: Locale, part: string): Promise<void> {
  const catalogue = await catalogues[`./catalogues/${part}.ts`]?.()
  for (const [path, texts] of Object.entries(catalogue?.default ?? {})) {
    const noun = path.slice(path.lastIndexOf('/') + 1, -'.json'.length)
    i18next.addResourceBundle(tag, noun, texts)
  }
}

/** Loads the words of the signed-in pages, which /login does without. */
export async function loadAllCatalogues(): Promise<void> {
  isSignedInPart = true
  const { code } = language.get()
  await addCatalogue(findLanguage(code), code)
}

/** The chosen language, and those that may be chosen. */
export function useLanguage(): { language: Locale; available: readonly Locale[] } {
  return { language: useStore(language), available }
}

/** Every noun that has a catalogue; `common` is the one without a prefix. */
const nouns = [
  'common',
  'dashboard',
  'publications',
  'devices',
  'auth',
  'fields',
  'groups',
  'logs',
  'media',
  'outcomes',
  'playlists',
  'problems',
  'account',
  'reasons',
  'routes',
  'uploads',
  'wizard',
] as const

/** `t('save')` from common.json, `t('devices:title')` from devices.json; keys are checked by the compiler. */
export type Translate = TFunction<typeof nouns>

/** The words of the chosen language in a component. */
export function useTranslate(): { t: Translate; tag: string } {
  const { tag } = useStore(language)
  return useMemo(() => ({ t: i18next.getFixedT(tag, nouns), tag }), [tag])
}

/** The words outside components: toasts. */
export function currentTranslate(): { t: Translate; tag: string } {
  return { t: i18next.getFixedT(null, nouns), tag: i18next.language }
}
