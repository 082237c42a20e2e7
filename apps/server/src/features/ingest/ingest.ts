import type { Context } from '../../context.ts'
import type { OpenAlerts } from '../alerts/alerts.ts'
import type { Manifests } from '../manifests/manifests.ts'
import { type DeviceReports, openDeviceReports } from './device-reports.ts'
import { type Events, openEvents } from './events.ts'
import { type Heartbeats, openHeartbeats } from './heartbeats.ts'

/** Ingests the reports of devices, by HTTP and by channel. */
export interface Ingest {
  heartbeats: Heartbeats
  events: Events
  reports: DeviceReports
}

export const openIngest = (context: Context, manifests: Manifests, alerts: OpenAlerts): Ingest => ({
  heartbeats: openHeartbeats(context, manifests, alerts),
  events: openEvents(context),
  reports: openDeviceReports(context),
})
