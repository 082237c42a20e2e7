import { expect, it } from 'vitest'
import { chooseRegion } from './languages.ts'

it("formats in the browser's own region of the chosen language, with one kind of digits and one calendar", () => {
  expect(chooseRegion('en', ['de-DE', 'en-GB', 'en-US'])).toBe('en-GB-u-ca-gregory-nu-latn')
  expect(chooseRegion('ar', ['en-GB'])).toBe('ar-u-ca-gregory-nu-latn')
  expect(new Intl.NumberFormat(chooseRegion('ar', ['ar-EG'])).format(47)).toBe('47')
  const day = new Date('2026-11-22T00:00:00Z')
  expect(day.toLocaleDateString(chooseRegion('ar', ['ar-SA']), { timeZone: 'UTC' })).toContain('2026')
})
