import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addNumbers, hasNumber, parseRanges, writeRanges } from './event-numbers.ts'

test('reads and writes what PostgreSQL writes', () => {
  expect(parseRanges('{[1,5),[7,9)}')).toEqual([
    [1, 5],
    [7, 9],
  ])
  expect(parseRanges('{}')).toEqual([])
  expect(writeRanges(parseRanges('{[1,5),[7,9)}'))).toBe('{[1,5),[7,9)}')
})

test('numbers close a hole, and a repeated one changes nothing', () => {
  const holed = addNumbers([], [1, 2, 3, 6, 7])
  expect(writeRanges(holed)).toBe('{[1,4),[6,8)}')
  expect(writeRanges(addNumbers(holed, [3, 6]))).toBe('{[1,4),[6,8)}')
  expect(writeRanges(addNumbers(holed, [5, 4]))).toBe('{[1,8)}')
})

test('ranges hold exactly the numbers that were added, as a set would', () => {
  const numbers = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 40 })
  fc.assert(
    fc.property(fc.array(numbers, { maxLength: 5 }), batches => {
      const ranges = batches.reduce(addNumbers, parseRanges('{}'))
      const set = new Set(batches.flat())
      for (let number = 1; number <= 62; number += 1) expect(hasNumber(ranges, number)).toBe(set.has(number))
      for (const [index, [from]] of ranges.entries())
        expect(from).toBeGreaterThan(ranges[index - 1]?.[1] ?? 0)
    }),
  )
})
