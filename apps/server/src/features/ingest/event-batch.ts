import type { DeviceIdentity } from '../../platform/auth/session.ts'
import type { EventNumber, ValidEvent, RefusedEvent } from './event-validation.ts'

/** What one call of a device brings to be stored. */
export interface EventBatch {
  device: DeviceIdentity & { groupName: string | null }
  receivedAt: Date
  judged: readonly ValidEvent[]
  /** Numbers of refused events: they came, so they are no gap. */
  refusedNumbers: readonly EventNumber[]
}

/** What became of a batch. */
export interface BatchOutcome {
  accepted: number
  duplicates: number
  /** Beyond what one device may have counted; not stored. */
  refused: RefusedEvent[]
}
