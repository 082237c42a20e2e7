import { expect, it } from 'vitest'
import {
  formatTable,
  compareWithGoals,
  numberOption,
  textOption,
  type Bench,
  whyWrongOptions,
} from './bench-types.ts'

const bench: Bench = {
  name: 'example',
  options: ['--fresh'],
  numbers: ['--devices'],
  texts: ['--data'],
  what: 'An example',
  figures: {
    ratio: { what: 'against an empty POST', unit: '×', atLeast: 0.5 },
    seconds: { what: 'start', unit: 's', atMost: 3 },
    bytes: { what: 'sent', unit: 'bytes' },
  },
  run: () => Promise.resolve({}),
}

it('a bench is judged by its goals; what was not measured is left out', () => {
  const verdicts = (values: Record<string, number>) =>
    compareWithGoals(bench, values).map(({ figure, met }) => [figure, met])
  expect(verdicts({ seconds: 3, ratio: 0.49 })).toEqual([
    ['ratio', false],
    ['seconds', true],
  ])
  expect(verdicts({ bytes: 1, seconds: 3.01 })).toEqual([
    ['seconds', false],
    ['bytes', null],
  ])
})

it('a bench may not measure what it does not declare', () => {
  expect(() => compareWithGoals(bench, { speed: 1 })).toThrow(
    'example measured what it does not declare: speed',
  )
})

it('a bench prints value, goal and verdict', () => {
  expect(
    formatTable(compareWithGoals(bench, { ratio: 0.4, seconds: 0.8614, bytes: 123456 })).split('\n'),
  ).toEqual([
    'against an empty POST  0.400 ×       at least 0.5 ×  MISSED',
    'start                  0.861 s       at most 3 s     met',
    'sent                   123456 bytes  reported',
  ])
})

it.each([
  [[], null],
  [['--fresh', '--devices', '20'], null],
  [['--fast'], "The bench 'example' has no option --fast."],
  [['20'], "The bench 'example' has no option 20."],
  [['--devices'], '--devices needs a whole number.'],
  [['--devices', '0'], '--devices needs a whole number.'],
  [['--devices', '--fresh'], '--devices needs a whole number.'],
  [['--data', '/tmp/filled', '--fresh'], null],
  [['--data'], '--data needs a value.'],
  [['--data', '--fresh'], '--data needs a value.'],
])('a bench takes its own options only: %j', (args, why) => {
  expect(whyWrongOptions(bench, args)).toBe(why)
})

it('a bench reads a number or a text, or its default', () => {
  expect(numberOption(['--fresh', '--devices', '20'], '--devices', 5)).toBe(20)
  expect(numberOption(['--fresh'], '--devices', 5)).toBe(5)
  expect(textOption(['--data', '/tmp/filled'], '--data')).toBe('/tmp/filled')
  expect(textOption(['--fresh'], '--data')).toBe(null)
})
