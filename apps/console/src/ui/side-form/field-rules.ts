import type { Translate } from '../../platform/i18n.ts'
import { CallError } from '@floorcast/contract/client.ts'
import type { z } from 'zod'
import { describeFailure, isOverPlan } from '../../platform/outcomes.ts'
import type { SaveError } from './use-saving-form.ts'

/** The rules of the contract's schemas; each is a key of `fields.json`. */
const rules = [
  'empty',
  'too-short',
  'too-long',
  'special-characters',
  'email',
  'email-taken',
  'password-too-short',
  'password-common',
  'password-email',
  'wrong-password',
  'wrong-code',
  'terms',
  'time-of-day',
  'moment',
  'future',
  'repeat-or-replay',
  'end-before-start',
  'after-subscription',
  'isrc',
  'volume',
  'time-zone',
  'latitude',
  'longitude',
  'audience',
  'store-zone',
  'tag-key',
  'unknown',
  'ambiguous',
  'twice',
  'update-key',
  'update-signature',
  'version',
  'one-group',
  'public-address',
] as const
type Rule = (typeof rules)[number]

/**
 * The message of a broken rule in the chosen language.
 * @param rule a key of `fields.json` or zod's own message
 */
export function describeRule(t: Translate, rule: string): string {
  const known: Rule | undefined = rules.find(name => name === rule)
  return t(known ? `fields:${known}` : 'fields:wrong')
}

/** Makes a form check from the server's schema: the message of the first broken rule of each field. */
export function checkBy(t: Translate, schema: z.ZodType) {
  return (values: Record<string, unknown>): Record<string, string> => {
    const result = schema.safeParse(values)
    const errors: Record<string, string> = {}
    for (const issue of result.error?.issues ?? []) {
      const isEmpty = issue.code === 'invalid_type' || values[String(issue.path[0])] === ''
      errors[issue.path.join('.')] ??= describeRule(t, isEmpty ? 'empty' : issue.message)
    }
    return errors
  }
}

/** Splits an error: messages of a 422 answer go to the form's fields, also to those within a field; other errors become one message. */
export function explainFailure(t: Translate, error: unknown, names: readonly string[]): SaveError {
  const faults = error instanceof CallError ? (error.problem?.errors ?? []) : []
  const known = faults.filter(({ path }) => names.includes(path.split('.')[0] ?? ''))
  return {
    fields: Object.fromEntries(known.map(({ path, message }) => [path, describeRule(t, message)])),
    message: known.length > 0 ? null : describeFailure(t, error),
    isOverPlan: isOverPlan(error),
  }
}
