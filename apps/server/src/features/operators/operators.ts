import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { JobName, setNotice as setNoticeCall } from '@floorcast/contract/operator.ts'
import type * as contract from '@floorcast/contract/operator.ts'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { OperatorAct, OperatorSession } from '../../platform/database/operator-queries.ts'
import { notFound, ProblemError, wrongField } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { actOf, type Asked } from './operator-sign-in.ts'

/* What operators do, each act with its entry in their audit. */

type OperatorContext = Pick<Context, 'installation'> & { database: Pick<Context['database'], 'operators'> }

/** A call of an operator. */
export type OperatorAsked = Asked & { operator: OperatorSession }

const DAY_MS = 86_400_000
const MAX_AHEAD_MS = 366 * DAY_MS

const act = (asked: OperatorAsked, action: OperatorAct['action'], subject = '') =>
  actOf(asked, { email: asked.operator.email, action, subject })

/** @throws ProblemError 422 at `until` */
function parseEnd(until: string, now: Date): Date {
  const end = new Date(until)
  if (end <= now) throw wrongField('until', 'in-the-past')
  if (end.getTime() > now.getTime() + MAX_AHEAD_MS) throw wrongField('until', 'too-far')
  return end
}

export const signOut = ({ database }: OperatorContext, asked: OperatorAsked): Promise<void> =>
  database.operators.endSession(asked.operator.sessionUid, act(asked, 'sign-out'))

/** @throws ProblemError 409 `job-running`, 404 */
export async function runJob(
  { database }: OperatorContext,
  name: JobName,
  asked: OperatorAsked,
): Promise<void> {
  const result = await database.operators.runJob(name, act(asked, 'run-job', name))
  if (result === 'running')
    throw new ProblemError('job-running', {
      detail: 'This job is running already, here or on another server.',
    })
  if (result === 'unknown') throw notFound()
}

/** @throws ProblemError 422 at `until` */
export async function setNotice(
  { database, installation }: OperatorContext,
  { text, level, until }: BodyOf<typeof setNoticeCall>,
  asked: OperatorAsked,
): Promise<void> {
  const notice = { uid: uuidV7(), text, level, until: parseEnd(until, asked.now) }
  await database.operators.setNotice(notice, act(asked, 'set-notice', text))
  await installation.read()
}

export async function endNotice(
  { database, installation }: OperatorContext,
  asked: OperatorAsked,
): Promise<void> {
  await database.operators.setNotice(null, act(asked, 'end-notice'))
  await installation.read()
}

/** @throws ProblemError 422 at `until` */
export async function setReadOnly(
  { database, installation }: OperatorContext,
  { until }: BodyOf<typeof contract.setReadOnly>,
  asked: OperatorAsked,
): Promise<void> {
  const end = until === null ? null : parseEnd(until, asked.now)
  const entry = act(asked, 'set-read-only', end?.toISOString() ?? '')
  await database.operators.setReadOnly({ since: asked.now, until: end }, entry)
  await installation.read()
}

export async function endReadOnly(
  { database, installation }: OperatorContext,
  asked: OperatorAsked,
): Promise<void> {
  await database.operators.setReadOnly(null, act(asked, 'end-read-only'))
  await installation.read()
}

type ListClients = typeof contract.listClients

/** The clients of one page, with plan and use. */
export async function listClients(
  { database }: OperatorContext,
  query: z.output<ListClients['query']>,
  now: Date,
): Promise<z.input<ListClients['answer']>> {
  const { page, size } = query
  const rows = await database.operators.clients(query, now)
  return {
    items: rows.map(row => ({
      uid: row.uid,
      name: row.name,
      plan: row.planKey,
      subscriptionExpiresAt: row.subscriptionExpiresAt,
      createdAt: row.createdAt,
      lastSignInAt: row.lastSignInAt,
      devices: { used: row.devices, limit: row.deviceLimit },
      online: row.online,
      silent: row.silent,
      down: row.down,
      mediaBytes: { used: row.mediaBytes, limit: row.mediaLimitBytes },
      statisticsBytes: { used: row.statisticsBytes, limit: row.statisticsLimitBytes },
    })),
    total: rows[0]?.total ?? 0,
    page,
    size,
  }
}

export async function listPlanRequests({ database }: OperatorContext) {
  const requests = await database.operators.planRequests()
  return requests.map(({ clientName, ...request }) => ({ ...request, client: clientName }))
}

export async function listAudit({ database }: OperatorContext, page: { page: number; size: number }) {
  const rows = await database.operators.audit(page)
  return { items: rows, total: rows[0]?.total ?? 0, ...page }
}
