import {
  chooseLanguage,
  findLanguage,
  locales,
  type Locale,
  type LocaleCode,
} from '@floorcast/locales/locales.ts'
import i18next, { type TFunction } from 'i18next'
import { useMemo } from 'react'
import { readStored, writeStored } from './storage.ts'
import { createStore, useStore } from './store.ts'

/** The texts of one language by namespace. */
interface Catalogue {
  default: Record<string, Record<string, unknown>>
}

const key = 'floorcast.language'
const catalogues = import.meta.glob<Catalogue>('./catalogues/*.ts')
const available = locales.filter(({ code }) => `./catalogues/${code}.ts` in catalogues)
const language = createStore<Locale>(findLanguage('en'))
let isSignedInPart = false

/** Loads the texts of the stored or the browser's language; call once before the first render. */
export async function startI18n(): Promise<void> {
  await i18next.init({
    fallbackLng: false,
    defaultNS: 'common',
    ns: [],
    // React escapes texts. A Latin name inside an Arabic sentence needs isolation.
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

/** Changes and stores the language: texts, writing direction, `lang`. */
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
    const namespace = path.slice(path.lastIndexOf('/') + 1, -'.json'.length)
    i18next.addResourceBundle(tag, namespace, texts)
  }
}

/** Loads the texts of the signed-in pages, which /login does not need. */
export async function loadAllCatalogues(): Promise<void> {
  isSignedInPart = true
  const { code } = language.get()
  await addCatalogue(findLanguage(code), code)
}

/** The chosen language and all available ones. */
export function useLanguage(): { language: Locale; available: readonly Locale[] } {
  return { language: useStore(language), available }
}

/** All namespaces; `common` needs no prefix. */
const namespaces = [
  'common',
  'list',
  'bulk',
  'activity',
  'charts',
  'dashboard',
  'publications',
  'devices',
  'auth',
  'fields',
  'groups',
  'links',
  'logs',
  'media',
  'outcomes',
  'playlists',
  'proof',
  'problems',
  'account',
  'publish',
  'reasons',
  'reports',
  'routes',
  'shell',
  'streaming',
  'uploads',
  'wizard',
] as const

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
