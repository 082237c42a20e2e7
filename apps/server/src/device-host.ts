import type { Context } from './context.ts'
import { OpenAlerts } from './features/alerts/alerts.ts'
import { registerDeviceApi } from './features/device-api/device-api-routes.ts'
import { registerDeviceChannel } from './features/device-channel/device-channel-routes.ts'
import { registerDeviceFiles } from './features/device-commands/device-commands-routes.ts'
import { openIngest } from './features/ingest/ingest.ts'
import { registerIngest } from './features/ingest/ingest-routes.ts'
import { registerListening } from './features/listening/listening-routes.ts'
import { Manifests } from './features/manifests/manifests.ts'
import type { Http } from './platform/http/http.ts'

/** The calls of devices, and of users who listen in on them: session, manifest, files, reports and channels. */
export function registerDeviceHost(http: Http, context: Context): void {
  const alerts = new OpenAlerts(context)
  const manifests = new Manifests(context)
  const ingest = openIngest(context, manifests, alerts)
  registerDeviceApi(http, context, manifests)
  registerListening(http, context, manifests)
  registerDeviceFiles(http, context)
  registerIngest(http, context, ingest)
  registerDeviceChannel(http, context, { ingest, manifests, alerts })
  http.app.addHook('onClose', async () => {
    alerts.close()
    await manifests.drain()
  })
}
