import { expect, it } from 'vitest'
import { foldText } from './fold-text.ts'

it.each([
  ['Łódź', 'lodz'],
  ['STRÆDE', 'straede'],
  ['Straße', 'strasse'],
  ['STRASSE', 'strasse'],
  ['GROẞ', 'gross'],
  ['Tromsø', 'tromso'],
  ['Đakovo', 'dakovo'],
  ['Þingvellir', 'thingvellir'],
  ['Ísafjörður', 'isafjordur'],
  ['Cœur', 'coeur'],
  ['DIYARBAKIR', 'diyarbakir'],
  ['Diyarbakır', 'diyarbakir'],
  ['İZMİR', 'izmir'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['οδός', 'οδοσ'],
  ['ЙОЛКА', 'иолка'],
  ['مُطعـم', 'مطعم'],
  ['Ｂｅｔａ ﬁ', 'beta fi'],
  ['П’ять', "п'ять"],
])('%s is compared as %s', (text, folded) => {
  expect(foldText(text)).toBe(folded)
})
