import { foldText } from '@floorcast/contract/fold-text.ts'
import type { OptionsFilter } from '@mantine/core'

/** Finds options as the server finds names: every word, without case, accents and the forms of letters. */
export const findOptions: OptionsFilter = ({ options, search }) => {
  const words = foldText(search).split(/\s+/)
  return options.filter(
    option => 'label' in option && words.every(word => foldText(option.label).includes(word)),
  )
}
