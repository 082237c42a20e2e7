import { expect, it } from 'vitest'
import { chooseLanguage, findLanguage } from './locales.ts'

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
