import { foldText } from '@floorcast/contract/fold-text.ts'
import type { OptionsFilter } from '@mantine/core'

const fold = (text: string) => foldText(text).replaceAll(/[_/]/g, ' ')

/** Finds time zones, by their former names too: 'new york' finds America/New_York, 'kiev' finds Europe/Kyiv. */
export const findZones: OptionsFilter = ({ options, search }) => {
  const words = fold(search).split(' ')
  return options.filter(
    option => 'label' in option && 'value' in option && words.every(word => matches(option, word)),
  )
}

const matches = ({ label, value }: { label: string; value: string }, word: string) =>
  fold(`${label} ${value} ${FORMER_NAMES.get(value) ?? ''}`).includes(word)

/** The names of today of zones that browsers list by a former one (Unicode's CLDR keeps the first name that it had). */
const TODAYS_NAMES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}
const FORMER_NAMES = new Map(Object.entries(TODAYS_NAMES).map(([former, today]) => [today, former]))

/** The name of today of a zone. Both names are one zone to the server and to devices. */
export const todaysZone = (zone: string): string => TODAYS_NAMES[zone] ?? zone

/** The IANA time zones that this browser knows, by their names of today, UTC first. */
export function knownZones(): string[] {
  const places = Intl.supportedValuesOf('timeZone').map(todaysZone).toSorted()
  return [...new Set(['UTC', ...places])]
}
