import { expect, it } from 'vitest'
import { chooseLanguage, chooseRegion, findLanguage } from './languages.ts'

it('takes the first of the browser languages that has a catalogue', () => {
  expect(chooseLanguage(['fr-CA', 'ar-EG', 'en'], ['ar', 'en'])).toBe('ar')
  expect(chooseLanguage(['uk-UA'], ['en', 'ua'])).toBe('ua')
  expect(chooseLanguage(['zh-CN'], ['en', 'cn'])).toBe('cn')
})

it('falls back to English', () => {
  expect(chooseLanguage(['is', 'fi'], ['ar', 'en'])).toBe('en')
  expect(chooseLanguage([], ['ar', 'en'])).toBe('en')
})

it('knows which way a language is written', () => {
  expect(findLanguage('ar').dir).toBe('rtl')
  expect(findLanguage('ua').tag).toBe('uk')
})

it("formats in the browser's own region of the chosen language, with one kind of digits", () => {
  expect(chooseRegion('en', ['de-DE', 'en-GB', 'en-US'])).toBe('en-GB-u-nu-latn')
  expect(chooseRegion('ar', ['en-GB'])).toBe('ar-u-nu-latn')
  expect(new Intl.NumberFormat(chooseRegion('ar', ['ar-EG'])).format(47)).toBe('47')
})
