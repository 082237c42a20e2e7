import { foldText } from '@floorcast/contract/fold-text.ts'
import type { OptionsFilter } from '@mantine/core'

const fold = (text: string) => foldText(text).replaceAll(/[_/]/g, ' ')

/** Finds time zones: 'new york' finds America/New_York. */
export const findZones: OptionsFilter = ({ options, search }) => {
  const words = fold(search).split(' ')
  return options.filter(
    option => 'label' in option && 'value' in option && words.every(word => matches(option, word)),
  )
}

const matches = ({ label, value }: { label: string; value: string }, word: string) =>
  fold(`${label} ${value}`).includes(word)

/** The IANA time zones that this browser knows, UTC first. */
export const knownZones = (): string[] => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]
