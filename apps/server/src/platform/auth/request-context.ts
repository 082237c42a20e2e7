import type { ClientScope } from '../database/client-scope.ts'
import type { Session } from './session.ts'

/** The caller, the time and the scope of a request: the first argument of every rule. */
export interface RequestContext {
  scope: ClientScope
  session: Session
  now: Date
  requestId: string
  /** Aborts when the caller of a heavy call is gone. Work of many steps then stops between two of them. */
  signal?: AbortSignal | undefined
}
