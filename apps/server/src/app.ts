import { release } from '@floorcast/contract/release.ts'
import type { Context } from './context.ts'
import { registerAlertProgress } from './features/alert-progress/alert-progress-routes.ts'
import { registerAlerts } from './features/alerts/alerts-routes.ts'
import { registerAudit } from './features/audit/audit-routes.ts'
import { registerCharts } from './features/charts/charts-routes.ts'
import { registerDashboard } from './features/dashboard/dashboard-routes.ts'
import { registerDeliveryReport } from './features/delivery-report/delivery-report-routes.ts'
import { registerPublications } from './features/publications/publications-routes.ts'
import {
  registerDeviceCommands,
  registerDeviceFiles,
} from './features/device-commands/device-commands-routes.ts'
import { registerDeviceBulk } from './features/device-bulk/device-bulk-routes.ts'
import { registerDevices } from './features/devices/devices-routes.ts'
import { registerDeviceDay } from './features/device-day/device-day-routes.ts'
import { registerDeviceImport } from './features/device-import/device-import-routes.ts'
import { registerGroups } from './features/groups/groups-routes.ts'
import { registerChangeFeed } from './features/change-feed/change-feed-routes.ts'
import { registerListening } from './features/listening/listening-routes.ts'
import { registerMedia } from './features/media/media-routes.ts'
import { registerPlaylists } from './features/playlists/playlists-routes.ts'
import { registerDeviceProfiles } from './features/device-profiles/device-profiles-routes.ts'
import { registerReports } from './features/reports/reports-routes.ts'
import { registerSavedViews } from './features/saved-views/saved-views-routes.ts'
import { registerRecycleBin } from './features/recycle-bin/recycle-bin-routes.ts'
import { registerAuth } from './features/auth/auth-routes.ts'
import { registerMailedLinks } from './features/auth/mailed-links-routes.ts'
import { openMailQueue } from './features/mail/mail.ts'
import { registerAgentInstaller } from './features/agent-installer/agent-installer-routes.ts'
import { registerDeviceApi } from './features/device-api/device-api-routes.ts'
import { registerDeviceChannel } from './features/device-channel/device-channel-routes.ts'
import { OpenAlerts } from './features/alerts/alerts.ts'
import { Manifests } from './features/manifests/manifests.ts'
import { openIngest } from './features/ingest/ingest.ts'
import { registerIngest } from './features/ingest/ingest-routes.ts'
import { registerSmartPlaylists } from './features/smart-playlists/smart-playlists-routes.ts'
import { registerProof } from './features/proof/proof-routes.ts'
import { registerProofKeys } from './features/proof-keys/proof-keys-routes.ts'
import { registerTags } from './features/tags/tags-routes.ts'
import { registerUpdates } from './features/updates/updates-routes.ts'
import { registerUploads } from './features/uploads/uploads-routes.ts'
import { registerPlans } from './features/tenants/plans-routes.ts'
import { registerUsers } from './features/tenants/users-routes.ts'
import { serveConsole } from './platform/http/console-files.ts'
import { ChangeGate } from './platform/http/change-gate.ts'
import { serveApiDocs } from './platform/http/api-docs.ts'
import { Http } from './platform/http/http.ts'
import { openLoadMonitor, serveMetrics } from './platform/http/load-monitor.ts'
import { makeHttpServer } from './platform/http/http-server.ts'
import { serveService } from './platform/http/service-routes.ts'
import { createAuthenticator } from './platform/auth/authenticator.ts'
import type { Settings } from './platform/settings/settings.ts'

interface Feature {
  /** The programs (ROLE) that serve its calls; `all` serves every feature. */
  roles: readonly ('api' | 'stream')[]
  register: (http: Http, context: Context) => void | Promise<void>
}

/** The media library and its resumable uploads. */
async function registerLibrary(http: Http, context: Context): Promise<void> {
  await registerUploads(http, context, registerMedia(http, context))
}

/** The calls of devices, and of users who listen in on them: session, manifest, files, reports and channels. */
function registerDeviceHost(http: Http, context: Context): void {
  const alerts = new OpenAlerts(context)
  const manifests = new Manifests(context)
  const ingest = openIngest(context, manifests, alerts)
  registerDeviceApi(http, context, manifests)
  registerListening(http, context, manifests)
  registerDeviceFiles(http, context)
  registerIngest(http, ingest)
  registerDeviceChannel(http, context, { ingest, manifests, alerts })
  http.app.addHook('onClose', async () => {
    alerts.close()
    await manifests.drain()
  })
}

/** The calls that have a link mailed, and the queue of mails. */
function registerMail(http: Http, context: Context): void {
  registerMailedLinks(http, context)
  const queue = openMailQueue(context)
  http.app.addHook('onClose', () => queue?.close())
}

const FEATURES: readonly Feature[] = [
  { roles: ['api', 'stream'], register: registerAuth },
  { roles: ['api'], register: registerMail },
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
  { roles: ['api'], register: registerDashboard },
  { roles: ['api'], register: registerCharts },
  { roles: ['api'], register: registerChangeFeed },
  { roles: ['stream'], register: registerDeviceHost },
  { roles: ['api', 'stream'], register: registerAgentInstaller },
]

function consoleSettings(settings: Settings) {
  const { publicUrl, apiUrl, logsUrl } = settings
  return {
    version: release.version,
    // Empty where the console's own origin serves them, so that the console also works under another name of the host.
    apiBase: apiUrl === publicUrl ? '' : apiUrl,
    logsBase: logsUrl === apiUrl ? '' : logsUrl,
    manualBase: settings.manualUrl ?? '',
    termsUrl: settings.termsUrl,
    supportEmail: settings.supportEmail,
    supportBot: settings.supportBot,
    registration: settings.registration,
    sendsMail: settings.mail !== null,
  }
}

/** Builds the whole server. It does not listen yet: `http.app.inject` sends it a request, `http.app.listen` opens it. */
export async function buildApp(context: Context): Promise<Http> {
  const { settings, database, log, now } = context
  const { publicUrl, apiUrl, consoleOrigins, streamUrl, logsUrl } = settings
  const app = await makeHttpServer({
    log,
    trustProxy: settings.trustProxy,
    origins: { publicUrl, apiUrl, consoleOrigins, streamUrl, logsUrl },
    limits: { maxOpen: settings.maxConnections },
  })
  const { admission, metrics } = openLoadMonitor(app, log)
  const { alerts } = database
  const http = new Http({
    app,
    admission,
    now,
    changes: new ChangeGate({ now, isDiskFull: () => context.files.isFull() }),
    authenticator: createAuthenticator(database.auth, now),
    openScope: session => database.forClient(session.clientId),
    alerts: {
      authenticator: createAuthenticator(alerts.auth, now),
      openScope: session => alerts.forClient(session.clientId),
    },
  })
  if (settings.metricsToken !== null) serveMetrics(app, settings.metricsToken, metrics)
  serveService(app, {
    console: consoleSettings(settings),
    publicUrl,
    now,
    checkReady: () => database.ping(),
    isDiskFull: () => context.files.isFull(),
  })
  if (settings.apiDocs === 'open') await serveApiDocs(app, { ...settings, version: release.version })
  for (const { roles, register } of FEATURES)
    if (settings.role === 'all' || roles.includes(settings.role)) await register(http, context)
  await serveConsole(app, settings.role === 'stream' ? null : context.consoleFolder)
  return http
}
