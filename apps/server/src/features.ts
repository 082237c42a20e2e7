import type { Register } from './app.ts'
import { registerDeviceHost } from './device-host.ts'
import { registerAuth } from './features/auth/auth-routes.ts'
import { registerDevices } from './features/devices/devices-routes.ts'
import { registerDeviceDay } from './features/device-day/device-day-routes.ts'
import { registerDeviceBulk } from './features/device-bulk/device-bulk-routes.ts'
import { registerDeviceCommands } from './features/device-commands/device-commands-routes.ts'
import { registerGroups } from './features/groups/groups-routes.ts'
import { registerDeviceImport } from './features/device-import/device-import-routes.ts'
import { registerPlaylists } from './features/playlists/playlists-routes.ts'
import { registerSmartPlaylists } from './features/smart-playlists/smart-playlists-routes.ts'
import { registerPublications } from './features/publications/publications-routes.ts'
import { registerDeliveryReport } from './features/delivery-report/delivery-report-routes.ts'
import { registerReports } from './features/reports/reports-routes.ts'
import { registerProofKeys } from './features/proof-keys/proof-keys-routes.ts'
import { registerProof } from './features/proof/proof-routes.ts'
import { registerTags } from './features/tags/tags-routes.ts'
import { registerWebhooks } from './features/webhooks/webhooks-routes.ts'
import { registerUsers } from './features/tenants/users-routes.ts'
import { registerPlans } from './features/tenants/plans-routes.ts'
import { registerAlerts } from './features/alerts/alerts-routes.ts'
import { registerAlertProgress } from './features/alert-progress/alert-progress-routes.ts'
import { registerDeviceProfiles } from './features/device-profiles/device-profiles-routes.ts'
import { registerUpdates } from './features/updates/updates-routes.ts'
import { registerRecycleBin } from './features/recycle-bin/recycle-bin-routes.ts'
import { registerSavedViews } from './features/saved-views/saved-views-routes.ts'
import { registerAudit } from './features/audit/audit-routes.ts'
import { registerClientEvents } from './features/client-events/client-events-routes.ts'
import { registerDashboard } from './features/dashboard/dashboard-routes.ts'
import { registerCharts } from './features/charts/charts-routes.ts'
import { registerChangeFeed } from './features/change-feed/change-feed-routes.ts'
import { registerAgentInstaller } from './features/agent-installer/agent-installer-routes.ts'
import { registerClientPackage } from './features/client-package/client-package-routes.ts'
import { registerMailedLinks } from './features/auth/mailed-links-routes.ts'
import { registerOperators } from './features/operators/operators-routes.ts'
import { registerLibrary } from './library.ts'
import type { Settings } from './platform/settings/settings.ts'

type Role = Settings['role']

interface Feature {
  /** The programs (ROLE) that serve its calls; `all` serves every feature. */
  roles: readonly Exclude<Role, 'all'>[]
  register: Register
}

const FEATURES: readonly Feature[] = [
  { roles: ['api', 'stream'], register: registerAuth },
  { roles: ['api'], register: registerMailedLinks },
  { roles: ['api'], register: registerDevices },
  { roles: ['api'], register: registerDeviceDay },
  { roles: ['api'], register: registerDeviceBulk },
  { roles: ['api'], register: registerDeviceCommands },
  { roles: ['api'], register: registerGroups },
  { roles: ['api'], register: registerDeviceImport },
  { roles: ['api'], register: registerLibrary },
  { roles: ['api'], register: registerPlaylists },
  { roles: ['api'], register: registerSmartPlaylists },
  { roles: ['api'], register: registerPublications },
  { roles: ['api'], register: registerDeliveryReport },
  { roles: ['api'], register: registerReports },
  { roles: ['api'], register: registerProofKeys },
  { roles: ['api'], register: registerProof },
  { roles: ['api'], register: registerTags },
  { roles: ['api'], register: registerUsers },
  { roles: ['api'], register: registerPlans },
  { roles: ['api'], register: registerAlerts },
  { roles: ['api'], register: registerAlertProgress },
  { roles: ['api'], register: registerDeviceProfiles },
  { roles: ['api'], register: registerUpdates },
  { roles: ['api'], register: registerRecycleBin },
  { roles: ['api'], register: registerSavedViews },
  { roles: ['api'], register: registerAudit },
  { roles: ['api'], register: registerClientEvents },
  { roles: ['api'], register: registerWebhooks },
  { roles: ['api'], register: registerDashboard },
  { roles: ['api'], register: registerCharts },
  { roles: ['api'], register: registerChangeFeed },
  { roles: ['api'], register: registerOperators },
  { roles: ['stream'], register: registerDeviceHost },
  { roles: ['api', 'stream'], register: registerAgentInstaller },
  { roles: ['api'], register: registerClientPackage },
]

/** The features of a program. */
export const featuresOf = (role: Role): Register[] =>
  FEATURES.filter(({ roles }) => role === 'all' || roles.includes(role)).map(({ register }) => register)
