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

/**
 * A part of the texts of a language, a file of `catalogues`: that of /login, of the frame of the signed-in pages, of the
 * command palette, and of each section of the menu.
 */
export type WordsPart =
  | 'auth'
  | 'shell'
  | 'home'
  | 'media'
  | 'equipment'
  | 'deployments'
  | 'reports'
  | 'alerts'
  | 'account'
  | 'administration'
  | 'logging'
  | 'palette'
  | 'updates'
  | 'recycle'

/** The texts of a part by namespace. */
interface Catalogue {
  default: Record<string, Record<string, unknown>>
}

const key = 'floorcast.language'
const catalogues = import.meta.glob<Catalogue>('./catalogues/*.ts')
const available = locales.filter(({ code }) => `./catalogues/${code}-auth.ts` in catalogues)
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
  await i18next.init({
    fallbackLng: false,
    defaultNS: 'common',
    ns: [],
    // React escapes texts. A Latin name inside an Arabic sentence needs isolation.
    interpolation: { escapeValue: true, escape: isolate },
    returnNull: false,
  })
  await loadLanguage(language.get())
}

/** Keeps a name's own direction from turning the sentence around it (Unicode isolates). */
function isolate(value: string): string {
  return language.get().dir === 'rtl' ? `\u2068${value}\u2069` : value
}

/** Changes and stores the language: texts, writing direction, `lang`. */
export async function changeLanguage(code: LocaleCode): Promise<void> {
  await loadLanguage(findLanguage(code))
  writeStored(key, code)
}

async function loadLanguage(next: Locale): Promise<void> {
  coming = next
  await Promise.all([...shownParts].map(part => addCatalogue(next, part)))
  await i18next.changeLanguage(next.tag)
  language.set(next)
  document.documentElement.lang = next.tag
  document.documentElement.dir = next.dir
}

async function addCatalogue({ code, tag }: Locale, part: WordsPart): Promise<void> {
  const catalogue = await catalogues[`./catalogues/${code}-${part}.ts`]?.()
  for (const [path, texts] of Object.entries(catalogue?.default ?? {})) {
    const namespace = path.slice(path.lastIndexOf('/') + 1, -'.json'.length)
    i18next.addResourceBundle(tag, namespace, texts)
  }
}

/** Loads parts of the texts in the chosen language, and in the one that comes. */
export async function loadWords(...parts: readonly WordsPart[]): Promise<void> {
  for (const part of parts) shownParts.add(part)
  const languages = new Set([language.get(), coming])
  await Promise.all([...languages].flatMap(each => parts.map(part => addCatalogue(each, part))))
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
  'alerts',
  'charts',
  'audit',
  'profiles',
  'tags',
  'tagKeys',
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
  'period',
  'palette',
  'proof',
  'problems',
  'account',
  'publish',
  'reasons',
  'recycle',
  'reports',
  'routes',
  'shell',
  'streaming',
  'updates',
  'uploads',
  'users',
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
