import { z } from 'zod'
import type { OutcomeName } from './outcomes.ts'
import { refuseUnknownFields } from './unknown-fields.ts'

export const Role = z.enum(['admin', 'manager', 'streamer'])
export type Role = z.infer<typeof Role>
export const Rights = z.enum(['full', 'view'])
export type Rights = z.infer<typeof Rights>
/** The resumable upload speaks tus, whose methods HEAD, PATCH and DELETE are used nowhere else. */
export type Method = 'GET' | 'POST' | 'HEAD' | 'PATCH' | 'DELETE'

/**
 * The callers: `public` anyone; `device` a device token; `operator` an operator of the installation, who is no user of a client; else
 * a signed-in user of one of `roles`.
 * `changes` means it needs full rights and a subscription that has not expired; how a refusal looks is `refusal`:
 * HTTP 403, or HTTP 200 with code -1 for the status calls. `evenExpired` changes go on after the subscription's end.
 */
export type Access =
  | { by: 'public' }
  | { by: 'device' }
  | { by: 'operator' }
  | {
      by: 'user'
      roles: readonly Role[]
      changes: boolean
      refusal: 'forbidden' | 'code'
      evenExpired?: true
    }

export const openToAll: Access = { by: 'public' }
export const byDevice: Access = { by: 'device' }
export const byOperator: Access = { by: 'operator' }
export const anyUser: Access = {
  by: 'user',
  roles: Role.options,
  changes: false,
  refusal: 'forbidden',
}
export const readers: Access = {
  by: 'user',
  roles: ['admin', 'manager'],
  changes: false,
  refusal: 'forbidden',
}
export const streamers: Access = { by: 'user', roles: ['streamer'], changes: false, refusal: 'forbidden' }
export const editors: Extract<Access, { by: 'user' }> = {
  by: 'user',
  roles: ['admin', 'manager'],
  changes: true,
  refusal: 'forbidden',
}
export const statusEditors: Access = {
  by: 'user',
  roles: ['admin', 'manager'],
  changes: true,
  refusal: 'code',
}
export const adminReaders: Access = { by: 'user', roles: ['admin'], changes: false, refusal: 'forbidden' }
export const adminEditors: Extract<Access, { by: 'user' }> = {
  by: 'user',
  roles: ['admin'],
  changes: true,
  refusal: 'forbidden',
}

/** Status changes of what admins alone may change. */
export const adminStatusEditors: Access = { ...adminEditors, refusal: 'code' }

/** The order in which a server under load admits calls, the first one first. */
export const PRIORITIES = [
  'alert',
  'alert-end',
  'heartbeat',
  'plays',
  'console',
  'connect',
  'manifest',
  'media',
  'upload',
] as const
export type Priority = (typeof PRIORITIES)[number]

/** Whether a call begins or ends an alert. */
export const isOfAlert = (priority: Priority): priority is 'alert' | 'alert-end' =>
  priority === 'alert' || priority === 'alert-end'

export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  method: Method
  /** The path of docs/specification.md#7-calls, with `{name}` for each parameter. */
  path: string
  summary: string
  access: Access
  priority: Priority
  /** The call has a large body or much work: it waits for one of few slots before its body is read. */
  isHeavy: boolean
  /** The slots that a heavy call waits for. Reports have their own and keep them until their file is made. */
  slots: 'heavy' | 'reports' | 'previews'
  /**
   * False for calls that add rows of a client: the server refuses them while its disk is full. Reads, deletions, alerts, devices'
   * calls and what protects an account go on.
   */
  worksOnFullDisk: boolean
  /**
   * False for calls that are refused while an operator has the installation read only: what users change, and what makes accounts.
   * Alerts, sign-ins and sign-outs, devices' and operators' calls go on.
   */
  worksReadOnly: boolean
  /**
   * Whether fields of the body and the query that the call does not declare are refused by name, or ignored: a device lives
   * long, and a newer one sends what an older server does not know.
   */
  unknownFields: 'refused' | 'ignored'
  params: Params
  query: Query
  body: Body
  /** What documents show instead of `body`, where the server reads each entry separately. */
  describedBody?: z.ZodType
  /** The parts of a multipart form by their names; files are `FormFile`. */
  form: z.ZodObject
  /** The schema of what is inside `data`; columns it does not name are dropped. */
  answer: Answer
  /** The outcomes a change may end in; empty for a read. */
  outcomes: readonly OutcomeName[]
  /** The answer of a change that was done has the `uid` of what it made or changed. */
  givesUid?: true
  /** `json` unless told: `multipart` and `bytes` bodies, `bytes` and `lines` answers and `none` at all are described in words. */
  bodyForm: 'none' | 'json' | 'multipart' | 'bytes'
  answerForm: 'json' | 'bytes' | 'lines' | 'none'
}

const nothing = z.strictObject({})
export type Nothing = typeof nothing

/** A file of a form. */
export const FormFile = z.file()

interface Draft<P, Q, B, A> {
  method?: Method
  path: string
  summary: string
  access: Access
  /** `priorityOf` unless told. */
  priority?: Priority
  isHeavy?: true
  /** `heavy` unless told. */
  slots?: Endpoint['slots']
  /** Unless told, false for users' changes. */
  worksOnFullDisk?: boolean
  /** Unless told, false for users' changes but alerts, and for calls without a user that a full disk refuses. */
  worksReadOnly?: boolean
  /** `ignored` for calls of devices, `refused` for others unless told. */
  unknownFields?: Endpoint['unknownFields']
  params?: P
  query?: Q
  body?: B
  describedBody?: z.ZodType
  form?: z.ZodObject
  answer: A
  outcomes?: readonly OutcomeName[]
  givesUid?: true
  bodyForm?: 'multipart' | 'bytes'
  answerForm?: 'bytes' | 'lines' | 'none'
}

/** Users' calls are the console's, but for uploads; devices fetch files and manifests. */
function priorityOf({
  access,
  bodyForm,
  answerForm,
}: Pick<Endpoint, 'access' | 'bodyForm' | 'answerForm'>): Priority {
  if (access.by === 'device') return answerForm === 'bytes' ? 'media' : 'manifest'
  return bodyForm === 'multipart' || bodyForm === 'bytes' ? 'upload' : 'console'
}

/** Describes one call once: the server's validation, the typed client and the OpenAPI document all come from it. */
export function endpoint<
  A extends z.ZodType,
  P extends z.ZodType = typeof nothing,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType = typeof nothing,
>(draft: Draft<P, Q, B, A>): Endpoint<P, Q, B, A> {
  const method = draft.method ?? (draft.body || draft.bodyForm ? 'POST' : 'GET')
  const bodyForm = draft.bodyForm ?? (draft.body ? 'json' : 'none')
  const answerForm = draft.answerForm ?? 'json'
  const unknownFields = draft.unknownFields ?? (draft.access.by === 'device' ? 'ignored' : 'refused')
  const checked = <S extends z.ZodType>(schema: S | undefined): S =>
    unknownFields === 'refused'
      ? refuseUnknownFields(schema ?? (nothing as unknown as S))
      : (schema ?? (z.object({}) as unknown as S))
  const priority = draft.priority ?? priorityOf({ access: draft.access, bodyForm, answerForm })
  const isUsersChange = isChange({ ...draft, method })
  const worksOnFullDisk = draft.worksOnFullDisk ?? !isUsersChange
  return {
    method,
    path: draft.path,
    summary: draft.summary,
    access: draft.access,
    priority,
    isHeavy: draft.isHeavy ?? false,
    slots: draft.slots ?? 'heavy',
    worksOnFullDisk,
    worksReadOnly:
      draft.worksReadOnly ??
      (isUsersChange ? isOfAlert(priority) : worksOnFullDisk || draft.access.by !== 'public'),
    params: draft.params ?? (nothing as unknown as P),
    unknownFields,
    query: checked(draft.query),
    body: checked(draft.body),
    ...(draft.describedBody ? { describedBody: draft.describedBody } : {}),
    form: checked(draft.form),
    answer: draft.answer,
    outcomes: draft.outcomes ?? [],
    ...(draft.givesUid ? { givesUid: true as const } : {}),
    bodyForm,
    answerForm,
  }
}

/** Whether a user's call changes rows of the client. */
export const isChange = (
  call: Pick<Endpoint, 'access' | 'method'> & Partial<Pick<Endpoint, 'outcomes'>>,
): boolean =>
  call.access.by === 'user' &&
  call.method !== 'HEAD' &&
  (call.access.changes || Boolean(call.outcomes?.length))

export type ParamsOf<E extends Endpoint> = z.input<E['params']>
export type QueryOf<E extends Endpoint> = z.input<E['query']>
export type BodyOf<E extends Endpoint> = z.input<E['body']>
export type AnswerOf<E extends Endpoint> = z.output<E['answer']>
