import { locales } from '@floorcast/contract/locales.ts'
import { COUNTRY_CENTERS } from './country-centers.ts'

/** What people write instead of a country's name. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  US: ['usa', 'u.s.a.', 'united states of america', 'america'],
  GB: ['great britain', 'england', 'scotland', 'wales', 'northern ireland', 'britain'],
  AE: ['uae'],
  CZ: ['czech republic'],
  KR: ['korea', 'republic of korea'],
  NL: ['holland'],
  RU: ['russian federation'],
  TR: ['turkey'],
  CD: ['dr congo', 'democratic republic of the congo'],
}

/** By code, then by name: each country's names in the console's languages, in lower case. */
function nameCountries() {
  const names = locales.flatMap(({ tag }) =>
    (['long', 'short'] as const).map(
      style => new Intl.DisplayNames(tag, { type: 'region', style, fallback: 'none' }),
    ),
  )
  const byCode = new Map<string, readonly string[]>()
  const byName = new Map<string, string>()
  for (const code of Object.keys(COUNTRY_CENTERS)) {
    const own = names.flatMap(language => language.of(code)?.toLowerCase() ?? [])
    byCode.set(code, [...new Set([code.toLowerCase(), ...own, ...(ALIASES[code] ?? [])])])
    for (const name of byCode.get(code) ?? []) if (!byName.has(name)) byName.set(name, code)
  }
  return { byCode, byName }
}

let countries: ReturnType<typeof nameCountries> | null = null
const knownCountries = () => (countries ??= nameCountries())

/** The code of ISO 3166 of a country's name or code, in any of the console's languages; null for any other text. */
export const countryCodeOf = (text: string): string | null =>
  knownCountries().byName.get(text.toLowerCase()) ?? null

/** The names by which devices are in a country, in lower case. */
export const namesOfCountry = (code: string): readonly string[] =>
  (knownCountries().byCode.get(code) ?? []).filter(name => countryCodeOf(name) === code)

/** The names of all countries, in lower case. */
export const namesOfCountries = (): readonly string[] => [...knownCountries().byName.keys()]

/** The middle of a country. @throws RangeError if the code is unknown */
export function centerOf(code: string): { latitude: number; longitude: number } {
  const [latitude, longitude] = COUNTRY_CENTERS[code] ?? []
  if (latitude === undefined || longitude === undefined) throw new RangeError(`no country ${code}`)
  return { latitude, longitude }
}
