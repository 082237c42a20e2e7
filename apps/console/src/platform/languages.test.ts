import { expect, it } from 'vitest'
import { chooseRegion } from './languages.ts'

it("formats in the browser's own region of the chosen language, with one kind of digits", () => {
  expect(chooseRegion('en', ['de-DE', 'en-GB', 'en-US'])).toBe('en-GB-u-nu-latn')
  expect(chooseRegion('ar', ['en-GB'])).toBe('ar-u-nu-latn')
  expect(new Intl.NumberFormat(chooseRegion('ar', ['ar-EG'])).format(47)).toBe('47')
})
