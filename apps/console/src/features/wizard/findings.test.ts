import common from '@floorcast/locales/catalogues/en/common.json'
import wizard from '@floorcast/locales/catalogues/en/wizard.json'
import type { PlanFindings } from '@floorcast/planner/validate.ts'
import i18next from 'i18next'
import { expect, it } from 'vitest'
import { createFormat } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { describeFindings } from './findings.ts'

const i18n = i18next.createInstance()
await i18n.init({ lng: 'en', resources: { en: { common, wizard } }, interpolation: { escapeValue: false } })
const t: Translate = i18n.getFixedT('en')

const speech = { t, format: createFormat('en-GB'), nameOf: (uid: string) => uid.toUpperCase() }
const describeAll = (found: Partial<PlanFindings>) =>
  describeFindings(speech, { refusals: [], warnings: [], ...found })

it('findings in words say what is found of many tracks once, with some of their names', () => {
  const refusals = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(uid => ({
    step: 'background' as const,
    code: 'longer-than-window' as const,
    kind: 'melody' as const,
    uid,
    duration: 4000,
    window: 3600,
  }))
  const [first, ...others] = describeAll({ refusals })
  expect(others).toEqual([])
  expect(first).toMatchObject({ step: 'background', isRefusal: true })
  expect(first?.text).toBe(
    '“A”, “B”, “C”, “D”, “E” and 2 more are longer than the working hours (1\u00a0hr). Remove them, or set longer hours.',
  )
  expect(describeAll({ refusals: refusals.slice(0, 1) })[0]?.text).toContain('“A” is longer than')
})

it('findings in words name the ads that would never be heard', () => {
  const at = { step: 'ads', code: 'ads-beyond-air-time', content: 7200, air: 600 } as const
  expect(describeAll({ refusals: [{ ...at, unheard: ['x'] }] })[0]?.text).toMatch(
    /2\u00a0hr.*10\u00a0min: “X” would never/,
  )
  expect(describeAll({ refusals: [{ ...at, unheard: [] }] })[0]?.text).toContain(
    'have room for 10\u00a0min only',
  )
  const none = describeAll({ refusals: [{ ...at, step: 'background', air: 0, unheard: ['x'] }] })
  expect(none).toMatchObject([{ step: 'background' }])
  expect(none[0]?.text).toContain('no time is left')
})

it('findings in words say of blocks of a set size that they repeat what is shorter', () => {
  const short = { step: 'ads', code: 'less-than-one-block', kind: 'ad', content: 24, target: 900 } as const
  const textOf = (mode: 'auto' | 'manual') => describeAll({ warnings: [{ ...short, mode }] })[0]?.text
  expect(textOf('auto')).toBe(
    'The chosen ads last 24\u00a0sec, less than a block of 15\u00a0min. Choose more for fuller blocks.',
  )
  expect(textOf('manual')).toMatch(/^The chosen ads last 24\u00a0sec: each block of 15\u00a0min repeats them/)
})

it('findings in words name the largest minimum ad separation that is possible', () => {
  const at = { step: 'ads', code: 'ad-gap-too-long', minAdGap: 900 } as const
  const textOf = (largest: number) => describeAll({ refusals: [{ ...at, largest }] })[0]?.text
  expect(textOf(480)).toMatch(/keeps 15\u00a0min between.*at most 8\u00a0min/)
  expect(textOf(0)).toContain('cannot be kept apart')
})

it('findings in words have words for every code', () => {
  const kinds = ['ad', 'melody'] as const
  const track = { kind: 'ad', uid: 'x' } as const
  const refusals: PlanFindings['refusals'] = [
    { step: 'hours', code: 'time-invalid', field: 'startDay', value: '' },
    { step: 'hours', code: 'time-invalid', field: 'endDay', value: '' },
    { step: 'hours', code: 'times-equal', value: '08:00' },
    { step: 'background', code: 'crossfade-invalid', crossfade: -1 },
    ...kinds.flatMap(kind => [
      { step: 'ads', code: 'target-invalid', kind, target: 0 } as const,
      { step: 'ads', code: 'list-empty', kind } as const,
      { step: 'ads', code: 'too-short', kind, content: 0.5 } as const,
    ]),
    { step: 'ads', code: 'duration-invalid', duration: 0, ...track },
    { step: 'ads', code: 'weight-invalid', weight: 0, ...track },
    { step: 'ads', code: 'track-twice', ...track },
    { step: 'ads', code: 'ad-share-under-one', uid: 'x', plays: 0.5 },
    { step: 'background', code: 'background-far-beyond', content: 90_000, air: 100 },
    { step: 'ads', code: 'ad-gap-invalid', minAdGap: -1 },
    { step: 'ads', code: 'ad-gap-too-long', minAdGap: 900, largest: 480 },
    { step: 'ads', code: 'ad-gap-too-long', minAdGap: 900, largest: 0 },
    { step: 'finish', code: 'name-too-short', length: 2 },
  ]
  const warnings: PlanFindings['warnings'] = [
    ...kinds.flatMap(kind =>
      (['auto', 'manual'] as const).map(
        mode => ({ step: 'ads', code: 'less-than-one-block', kind, mode, content: 5, target: 60 }) as const,
      ),
    ),
    { step: 'ads', code: 'ads-back-to-back', uids: ['x'] },
    { step: 'background', code: 'background-not-all-heard', unheard: 3, content: 90, air: 60 },
  ]
  const found = describeAll({ refusals, warnings })
  expect(found).toHaveLength(refusals.length + warnings.length)
  for (const { text, code } of found) {
    expect(text, code).not.toContain('undefined')
    expect(text.length, code).toBeGreaterThan(20)
  }
})
