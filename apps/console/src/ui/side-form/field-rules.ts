import type { Words } from '../../platform/i18n.ts'
import type { z } from 'zod'

/** The words that the contract's rules answer with; each is a key of `fields.json`. */
const rules = [
  'empty',
  'too-short',
  'too-long',
  'special-characters',
  'email',
  'email-taken',
  'password-too-short',
  'terms',
  'time-of-day',
  'repeat-or-replay',
  'end-before-start',
] as const
type Rule = (typeof rules)[number]

/** What a broken rule means, in the chosen language. @param rule a key of `fields.json` or zod's own words */
export function describeRule(t: Words, rule: string): string {
  const known: Rule | undefined = rules.find(name => name === rule)
  return t(known ? `fields:${known}` : 'fields:wrong')
}

/** A form's check by the server's own schema: the first broken rule of each field, in words. */
export function checkBy(t: Words, schema: z.ZodType) {
  return (values: unknown): Record<string, string> => {
    const result = schema.safeParse(values)
    const errors: Record<string, string> = {}
    for (const issue of result.error?.issues ?? []) {
      const rule = issue.code === 'invalid_type' ? 'empty' : issue.message
      errors[issue.path.join('.')] ??= describeRule(t, rule)
    }
    return errors
  }
}
