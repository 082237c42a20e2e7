import i18next from 'i18next'
import { afterEach, expect, it } from 'vitest'
import { joinSentences, sentenceGap, splitAtSlot } from './sentences.ts'

await i18next.init({ lng: 'en', resources: {} })
afterEach(() => i18next.changeLanguage('en'))

it('joins sentences as the language does', async () => {
  expect(joinSentences('One.', null, '', 'Two.')).toBe('One. Two.')
  await i18next.changeLanguage('zh-Hans')
  expect(joinSentences('一。', '二。')).toBe('一。二。')
  expect(sentenceGap()).toBe('')
})

it('gives an element its place in a text', () => {
  expect(splitAtSlot(name => `Edited version of ${name}`)).toEqual(['Edited version of ', ''])
  expect(splitAtSlot(name => `${name}的编辑版本`)).toEqual(['', '的编辑版本'])
})
