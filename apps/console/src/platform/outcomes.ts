import { CallError } from '@floorcast/contract/client.ts'
import { outcomeByCode, outcomes, reasons, type Outcome, type Reason } from '@floorcast/contract/outcomes.ts'
import { NotSent, Refusal } from './client.ts'
import { createFormat } from './format.ts'
import { currentTranslate, type Translate } from './i18n.ts'
import { navigateTo } from './navigate.ts'
import { paths } from './paths.ts'
import { toast } from './toasts.ts'

/**
 * The entity of a status change: docs/specification.md#4-states-and-transitions words the codes of publications
 * separately.
 */
export type OutcomeSubject = 'publication' | 'group' | 'playlist'

const isReason = (name: string): name is Reason => reasons.some(reason => reason === name)

const named = ['nameExists', 'filesMissing', 'mediaInUse', 'inUse', 'someFailed'] as const
type Named = (typeof named)[number]
const isNamed = (name: string): name is Named => named.some(known => known === name)

/** Reasons whose names a user needs to do something about them. */
const namedReasons: ReadonlySet<Reason> = new Set<Reason>([
  'restore-these-first',
  'several-files',
  'signature-missing',
  'signature-wrong',
])

/** Describes an outcome in the chosen language: its reason if it has one, with the names it carries. */
export function describeOutcome(t: Translate, outcome: Outcome, subject?: OutcomeSubject): string {
  const name = outcomeByCode(outcome.code) ?? 'notDone'
  const names = createFormat(currentTranslate().tag).list(outcome.names ?? [])
  if (outcome.reason && isReason(outcome.reason)) {
    const reason = t(`reasons:${outcome.reason}`, { count: outcome.limit ?? 0 })
    if (name === 'wrongFileType') return t('outcomes:wrongFileTypeWhy', { reason })
    return namedReasons.has(outcome.reason) && names ? t('withNote', { text: reason, note: names }) : reason
  }
  if (subject && subject !== 'publication') {
    if (name === 'activated') return t('outcomes:active')
    if (name === 'disabled') return t('outcomes:paused')
    if (name === 'groupTaken') return t('outcomes:inPublication')
  }
  if (names && isNamed(name)) return t(`outcomes:named.${name}`, { names })
  return t(`outcomes:${name}`)
}

/** Limits that grow with the plan: devices, rows, and the bytes of playlists. */
const planReasons: ReadonlySet<string> = new Set<Reason>(['device-limit', 'row-limit', 'playlist-bytes'])

/** Whether a larger plan has room for what was refused. */
export const isPlanLimit = ({ code, reason }: Pick<Outcome, 'code' | 'reason'>): boolean =>
  code === outcomes.storageFull || (reason !== undefined && planReasons.has(reason))

export const isOverPlan = (error: unknown): boolean => error instanceof Refusal && isPlanLimit(error.outcome)

const problemCodes = [
  'wrong-login',
  'registration-closed',
  'subscription-expired',
  'rights',
  'role',
  'stale',
  'start-in-the-past',
  'heavy-busy',
  'too-many-changes',
  'search-terms',
  'disk-full',
  'read-only',
  'job-running',
  'too-many-uploads',
  'database-away',
  'files-away',
  'email-taken',
  'second-factor',
  'step-expired',
  'wrong-passkey',
  'link-expired',
  'mail-limit',
  'no-mail-server',
  'registration-by-mail',
  'proof-key',
  'proof-too-large',
  'plays-gone',
  'report-rows',
  'archive-rows',
  'archive-unreadable',
] as const
type ProblemCode = (typeof problemCodes)[number]
const isProblemCode = (code: string | undefined): code is ProblemCode =>
  problemCodes.some(known => known === code)

/** Whether the same call would fail again: the address is wrong, or leads to what is not there. */
export const isFinal = (error: unknown): boolean =>
  error instanceof CallError && [400, 404, 422].includes(error.status)

/** Whether the server has not answered: then the page shows what this browser knows. */
export const isUnanswered = (error: unknown): boolean => error instanceof CallError && error.status === 0

/** Those that say by themselves what is wrong. */
const EXPLAINED: ReadonlySet<number> = new Set([401, 403, 404, 409, 413, 422, 429])

/** The request of a failure that its user can do nothing about, by which the operator finds it in the log; null: another failure, or a proxy's. */
function unexpectedRequest(error: unknown): string | null {
  if (!(error instanceof CallError)) return null
  const { status, problem } = error
  const code = problem?.code
  const isExplained = EXPLAINED.has(status) || code === 'busy' || code === 'malformed' || isProblemCode(code)
  return code === 'database-away' || code === 'files-away' || !isExplained ? (problem?.id ?? null) : null
}

/** Describes an error in the chosen language (docs/specification.md#8-error-catalogue). */
export function describeFailure(t: Translate, error: unknown, subject?: OutcomeSubject): string {
  const text = describeCause(t, error, subject)
  const id = unexpectedRequest(error)
  return id === null ? text : t('problems:withRequest', { text, id })
}

function describeCause(t: Translate, error: unknown, subject?: OutcomeSubject): string {
  if (error instanceof Refusal) return describeOutcome(t, error.outcome, subject)
  if (!(error instanceof CallError)) return t('problems:unknown')
  const { status, problem, retryAfterSeconds } = error
  if (error instanceof NotSent) return t('problems:offline')
  if (status === 0) return t('problems:noAnswer')
  if (isProblemCode(problem?.code)) return t(`problems:${problem.code}`)
  if (status === 200) return t('problems:emptyAnswer')
  if (status === 400 && problem?.code === 'malformed') return t('problems:malformed')
  if (status === 401) return t('problems:expired')
  if (status === 429) return t('problems:tooMany', { count: retryAfterSeconds ?? 60 })
  if (status === 403) return t('problems:forbidden')
  if (status === 404) return t('problems:notFound')
  if (status === 409) return t('problems:stale')
  if (status === 413) return t('problems:tooLarge')
  if (status === 503) return t('problems:busy')
  if (status === 422) return t('problems:fields')
  return t('problems:status', { status })
}

/** The same of what a page reads: it has no fields to correct, and what is wrong is its address. */
export const describeReading = (t: Translate, error: unknown): string =>
  error instanceof CallError && error.status === 422 ? t('problems:malformed') : describeFailure(t, error)

/** A read that failed, as a toast. */
export function toastUnread(error: unknown): void {
  if (!(error instanceof CallError) || error.status !== 422) return toastFailure(error)
  void toast('danger', describeReading(currentTranslate().t, error))
}

/** Shows an error as a toast; that of a plan's limit leads to the plans. The shell announces an expired session once. */
export function toastFailure(error: unknown, subject?: OutcomeSubject): void {
  if (error instanceof CallError && error.status === 401) return
  const { t } = currentTranslate()
  const title =
    error instanceof CallError && error.status === 0 && !(error instanceof NotSent)
      ? { title: t('problems:fatalTitle') }
      : {}
  const action = actionFor(t, error)
  const cause = describeCause(t, error, subject)
  void toast('danger', describeFailure(t, error, subject), { cause, ...title, ...(action ? { action } : {}) })
}

function actionFor(t: Translate, error: unknown) {
  if (isOverPlan(error)) return { label: t('shell:comparePlans'), run: () => navigateTo(paths.pricing) }
  const id = unexpectedRequest(error)
  if (id === null || !('clipboard' in navigator)) return null
  return { label: t('problems:copyRequest'), run: () => void navigator.clipboard.writeText(id) }
}
