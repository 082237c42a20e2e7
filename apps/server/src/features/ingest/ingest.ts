import type { Context } from '../../context.ts'
import { type Events, openEvents } from './events.ts'
import { type Heartbeats, openHeartbeats } from './heartbeats.ts'

/** Ingests the reports of devices, by HTTP and by channel. */
export interface Ingest {
  heartbeats: Heartbeats
  events: Events
}

export const openIngest = (context: Context): Ingest => ({
  heartbeats: openHeartbeats(context),
  events: openEvents(context),
})
