import type { Context } from '../../context.ts'
import type { Http } from '../../platform/http/http.ts'
import { createAuthenticator } from '../../platform/auth/authenticator.ts'
import { UserSessionWatch } from '../../platform/auth/user-session-watch.ts'
import { countHeartbeats, type Ingest } from '../ingest/ingest.ts'
import type { OpenAlerts } from '../alerts/alerts.ts'
import type { Manifests } from '../manifests/manifests.ts'
import { ChannelHub } from './channel-hub.ts'
import { makeChannelUpgrade } from './channel-upgrade.ts'

interface Services {
  ingest: Ingest
  manifests: Manifests
  alerts: OpenAlerts
}

/** Registers the channels on the server's `upgrade` event. Their heartbeats are ingested like those by HTTP. */
export function registerDeviceChannel(http: Http, context: Context, services: Services): void {
  const { ingest } = services
  const { database, bus, log, metrics, now } = context
  const userSessions = new UserSessionWatch({ auth: database.auth, bus, log, now })
  const { admission, app } = http
  const hub = new ChannelHub(context, { ...services, admission })
  metrics.gauge('channels_open', 'Channels of devices that are open on this server.', () => hub.size)
  const authenticator = createAuthenticator(database.auth, now)
  const receive = countHeartbeats(metrics, 'channel', ingest.heartbeats)
  const heartbeats: Ingest['heartbeats'] = {
    ...ingest.heartbeats,
    receive: (device, ...heartbeat) =>
      admission.run('heartbeat', device, () => receive(device, ...heartbeat)),
  }
  const admitted = { heartbeats, reports: ingest.reports }
  const { connections } = app
  const upgrade = makeChannelUpgrade({
    context,
    admission,
    authenticator,
    connections,
    hub,
    userSessions,
    ingest: admitted,
  })
  app.server.on('upgrade', upgrade)
  app.addHook('preClose', () => {
    userSessions.close()
    return hub.close()
  })
}
