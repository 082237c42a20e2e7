import { CallError } from '@floorcast/contract/client.ts'
import { DeviceDraft } from '@floorcast/contract/devices.ts'
import { PlaylistChange } from '@floorcast/contract/playlists.ts'
import { Credentials, Registration } from '@floorcast/contract/auth.ts'
import fields from '@floorcast/locales/catalogues/en/fields.json'
import problems from '@floorcast/locales/catalogues/en/problems.json'
import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'
import { Refusal } from '../../platform/client.ts'
import type { Translate } from '../../platform/i18n.ts'
import { checkBy, explainFailure } from './field-rules.ts'

let t: Translate

beforeAll(async () => {
  await i18next.init({ lng: 'en', resources: { en: { fields, problems } } })
  t = i18next.getFixedT('en', ['common', 'fields', 'problems'])
})

it('words the rules of the specification at the fields', () => {
  const check = checkBy(t, DeviceDraft)
  expect(check({ name: '', description: '' })).toEqual({ name: 'Cannot be empty' })
  expect(check({ name: 'ab', description: 'no' })).toEqual({
    name: 'At least 3 characters',
    description: 'At least 3 characters',
  })
  expect(check({ name: 'Till <1>', description: '' })).toEqual({
    name: 'Only letters, digits and common punctuation',
  })
  expect(check({ name: 'x'.repeat(51), description: '' })).toEqual({ name: 'Too long' })
  expect(check({ name: 'Till 1', description: '' })).toEqual({})
})

it('asks for what is empty before it asks for its form', () => {
  expect(checkBy(t, Credentials)({ email: '', password: '' })).toEqual({
    email: 'Cannot be empty',
    password: 'Cannot be empty',
  })
  expect(checkBy(t, Registration)({ fullName: 'A', email: 'a', password: 'short', terms: false })).toEqual({
    email: 'Enter an email address, such as name@example.com',
    password: 'At least 10 characters',
    terms: 'Accept the terms to continue',
  })
})

it('names a rule between two fields at the second', () => {
  const change = {
    uid: '01900000-0000-7000-8000-000000000000',
    startDate: '2026-12-02',
    endDate: '2026-12-01',
  }
  expect(checkBy(t, PlaylistChange)(change)).toEqual({ endDate: 'The end date is before the start date' })
})

it("puts the server's 422 at the fields that the form has, and the rest into words", () => {
  const problem = { type: 'about:blank', title: 'Wrong fields', status: 422 }
  const refuse = (path: string) =>
    new CallError(422, { ...problem, errors: [{ path, message: 'special-characters' }] })
  expect(explainFailure(t, refuse('name'), ['name'])).toEqual({
    fields: { name: 'Only letters, digits and common punctuation' },
    message: null,
    isOverPlan: false,
  })
  expect(explainFailure(t, refuse('groupUid'), ['name'])).toEqual({
    fields: {},
    message: 'Check the highlighted fields',
    isOverPlan: false,
  })
})

it('knows a refusal that a larger plan would not make', () => {
  const refuse = (reason: 'device-limit' | 'in-use') =>
    explainFailure(t, new Refusal({ code: 400, reason }), [])
  expect(refuse('device-limit').isOverPlan).toBe(true)
  expect(refuse('in-use').isOverPlan).toBe(false)
})
