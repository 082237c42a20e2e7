import { z } from 'zod'

const VERSION = /^\d{1,9}(\.\d{1,9}){0,3}(-[0-9A-Za-z]+([.-][0-9A-Za-z]+)*)?$/

/** One to four numbers with dots, and a word for what comes before the release: 2.776.0, 2.776.0-rc.1. */
export const UpdateVersion = z.string().trim().min(1, 'empty').max(60, 'too-long').regex(VERSION, 'version')

const numberAt = (numbers: readonly string[], index: number) => Number(numbers[index] ?? 0) || 0

/** Compares numbers as numbers and words as text; numbers come before words, and fewer parts before more. */
function compareWords(one: string, other: string): number {
  const [a, b] = [one.split('.'), other.split('.')]
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [left, right] = [a[index], b[index]]
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1
    if (left === right) continue
    const areNumbers = [/^\d+$/.test(left), /^\d+$/.test(right)]
    if (areNumbers[0] && areNumbers[1]) {
      if (Number(left) !== Number(right)) return Number(left) < Number(right) ? -1 : 1
    } else if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] ? -1 : 1
    else return left < right ? -1 : 1
  }
  return 0
}

const PARTS = /^([^-+]*)-?([^+]*)/

/**
 * Compares versions: negative if the first is lower, 0 if they are equal. Missing numbers are 0, and 2.776.0-rc.1 is lower than
 * 2.776.0. A build (2.776.0+1a2b3c4d) orders nothing, as in semantic versioning.
 */
export function compareVersions(one: string, other: string): number {
  const [, oneNumbers = one, oneWord = ''] = PARTS.exec(one) ?? []
  const [, otherNumbers = other, otherWord = ''] = PARTS.exec(other) ?? []
  const [a, b] = [oneNumbers.split('.'), otherNumbers.split('.')]
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = numberAt(a, index) - numberAt(b, index)
    if (difference !== 0) return difference
  }
  if (oneWord === '' || otherWord === '') return Number(oneWord === '') - Number(otherWord === '')
  return compareWords(oneWord, otherWord)
}
