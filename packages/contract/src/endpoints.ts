import { z } from 'zod'
import * as alertDevices from './alert-devices.ts'
import * as alerts from './alerts.ts'
import * as audit from './audit.ts'
import * as bulk from './bulk-calls.ts'
import * as bulkItems from './bulk.ts'
import * as charts from './charts.ts'
import * as clientEvents from './client-events.ts'
import * as dashboard from './dashboard.ts'
import * as deployPackages from './deploy-packages.ts'
import * as delivery from './delivery-report.ts'
import * as deployments from './publications.ts'
import * as deviceCommands from './device-commands.ts'
import * as deviceFilters from './device-filters.ts'
import * as deviceImport from './device-import.ts'
import * as deviceProtocol from './device-protocol.ts'
import * as devices from './devices.ts'
import type { Endpoint } from './endpoint.ts'
import * as groups from './groups.ts'
import * as installation from './installation.ts'
import * as listening from './listening.ts'
import * as deviceDay from './device-day.ts'
import * as live from './change-feed.ts'
import * as mailedLinks from './mailed-links.ts'
import * as mediaCredits from './media-credit-calls.ts'
import * as media from './media.ts'
import * as operator from './operator.ts'
import * as operatorSignIn from './operator-sign-in.ts'
import * as passkeys from './passkeys.ts'
import * as plans from './plans.ts'
import * as playlistTracks from './playlist-tracks.ts'
import * as playlists from './playlists.ts'
import * as profiles from './device-profiles.ts'
import * as proof from './proof.ts'
import * as publish from './publish.ts'
import * as recycle from './recycle-bin.ts'
import * as reportCalls from './report-calls.ts'
import * as events from './events.ts'
import * as fields from './fields.ts'
import * as manifest from './manifest.ts'
import * as outcomes from './outcomes.ts'
import * as problem from './problem.ts'
import * as reports from './reports.ts'
import * as savedViews from './saved-views.ts'
import * as secondFactor from './second-factor.ts'

import * as session from './auth.ts'
import * as sessions from './sessions.ts'
import * as smartPlaylists from './smart-playlists.ts'
import * as tags from './tag-calls.ts'
import * as updateChannels from './update-channels.ts'
import * as updateFiles from './update-files.ts'
import * as updatePackages from './update-packages.ts'
import * as updates from './updates.ts'
import * as uploads from './uploads.ts'
import * as users from './users.ts'
import * as webhooks from './webhooks.ts'

const rooms = {
  session,
  sessions,
  mailedLinks,
  secondFactor,
  passkeys,
  devices,
  deviceCommands,
  deviceFilters,
  deviceImport,
  groups,
  media,
  mediaCredits,
  uploads,
  delivery,
  proof,
  reports: Object.fromEntries(reportCalls.namedReportCalls),
  playlistTracks,
  playlists,
  smartPlaylists,
  deployments,
  bulkDevices: { preview: bulk.previewManyDevices, change: bulk.changeManyDevices },
  bulkPublications: { preview: bulk.previewManyPublications, change: bulk.changeManyPublications },
  bulkGroups: { preview: bulk.previewManyGroups, change: bulk.changeManyGroups },
  bulkPlaylists: { preview: bulk.previewManyPlaylists, change: bulk.changeManyPlaylists },
  bulkMedia: { preview: bulk.previewManyMedia },
  bulkRecycle: { preview: bulk.previewManyBinned, restore: bulk.restoreMany, purge: bulk.purgeMany },
  publish,
  recycle,
  savedViews,
  audit,
  tags,
  profiles,
  alerts,
  alertDevices,
  users,
  plans,
  updates,
  updateFiles,
  updatePackages,
  updateChannels,
  deployPackages,
  dashboard,
  charts,
  live,
  clientEvents,
  webhooks,
  listening,
  deviceDay,
  deviceProtocol,
  installation,
  operatorSignIn,
  operator,
}

/** Modules with schemas that calls share, beside those of the nouns. */
const shared = [
  bulk,
  bulkItems,
  reportCalls,
  fields,
  outcomes,
  problem,
  events,
  manifest,
  reports,
  mediaCredits,
  deviceFilters,
]

/** The schemas that the contract names, each by one name. Of two with the same name the later one has none. */
export const namedSchemas: ReadonlyMap<z.ZodType, string> = nameSchemas()

function nameSchemas(): Map<z.ZodType, string> {
  const byName = new Map<string, z.ZodType>()
  for (const room of [...shared, ...Object.values(rooms)])
    for (const [name, value] of Object.entries(room as Record<string, unknown>))
      if (value instanceof z.ZodType && !byName.has(name)) byName.set(name, value)
  return new Map([...byName].map(([name, schema]) => [schema, name]))
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'access' in value && 'answer' in value

/** Every call by its name, with the noun it belongs to: for the OpenAPI document and the contract tests. */
export const endpoints: readonly { noun: string; name: string; endpoint: Endpoint }[] = Object.entries(
  rooms,
).flatMap(([noun, room]) =>
  Object.entries(room).flatMap(([name, value]) =>
    isEndpoint(value) ? [{ noun, name, endpoint: value }] : [],
  ),
)
