import { wrongField } from '../lib/errors.ts'

/** Parts of the email that are shorter may stand in any password: `ann`, `com`. */
const MIN_WORD = 4
/** The product's name, and the phrases of the best-known comic about passwords. */
const KNOWN_WORDS = ['floorcast', 'correcthorsebatterystaple', 'correcthorsebattery']
/** The least number of letters and digits of a password beside a known word. */
const MIN_REST = 8
/** Digits and signs before and after a word that make no strong password of it: `password2026!`. */
const MAX_DECORATION = 8

let loading: Promise<ReadonlySet<string>> | undefined

/** 49,233 of the most used passwords, in lower case. The first new password loads them. */
const loadCommonPasswords = () =>
  (loading ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set<string>(dictionary['passwords-common']),
  ))

/** The address before the @, its words, and those of the domain without the last: `ann.petrova`, `petrova`, `shop`. */
function wordsOf(email: string): string[] {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const labels = domain.split('.').slice(0, -1)
  const words = [local, ...labels].flatMap(part => [part, ...part.split(/[^\p{L}\p{N}]+/u)])
  return words.filter(word => word.length >= MIN_WORD)
}

/** The password, what is left of it without digits and signs at its ends, and what it repeats: forms of one guess. */
function guessesOf(password: string): string[] {
  const text = password.toLowerCase()
  const word = text.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L}]+$/u, '')
  const isDecorated = word.length >= MIN_WORD && text.length - word.length <= MAX_DECORATION
  const repeated = /^(.+?)\1+$/u.exec(text)?.[1]
  return [text, ...(isDecorated ? [word] : []), ...(repeated === undefined ? [] : [repeated])]
}

/** The password is a known word, whatever signs stand in it, with little else. */
function isKnownWord(password: string): boolean {
  const text = password.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
  return KNOWN_WORDS.some(word => text.includes(word) && text.length - word.length < MIN_REST)
}

async function isCommon(password: string): Promise<boolean> {
  const common = await loadCommonPasswords()
  return guessesOf(password).some(guess => common.has(guess) || [...guess].length === 1)
}

/**
 * Refuses a new password that others would guess: a common one, or one with words of its user's email.
 * @throws ProblemError 422 at `password`: `password-common`, `password-email`
 */
export async function checkNewPassword(password: string, email: string): Promise<void> {
  const text = password.toLowerCase()
  if (wordsOf(email).some(word => text.includes(word))) throw wrongField('password', 'password-email')
  if (isKnownWord(password) || (await isCommon(password))) throw wrongField('password', 'password-common')
}
