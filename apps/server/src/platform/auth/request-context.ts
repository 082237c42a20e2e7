import type { ClientScope } from '../database/client-scope.ts'
import type { Session } from './session.ts'

/** Who asks for something, when, and the rows it may touch: the first argument of every rule. */
export interface RequestContext {
  scope: ClientScope
  session: Session
  now: Date
  requestId: string
}
