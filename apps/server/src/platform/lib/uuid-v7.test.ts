import { expect, test } from 'vitest'
import { uuidV7 } from './uuid-v7.ts'

test('ids are version 7, unique, and sort in the order they were made', () => {
  const ids = Array.from({ length: 10_000 }, () => uuidV7())
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
})

test('the time is in the first 48 bits', () => {
  const future = Date.now() + 3_600_000
  expect(parseInt(uuidV7(future).replaceAll('-', '').slice(0, 12), 16)).toBe(future)
})
