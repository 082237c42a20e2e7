import { channelPath } from '@floorcast/contract/device-protocol.ts'
import type { Context } from '../../context.ts'
import type { Http } from '../../platform/http/http.ts'
import { addressOf } from '../../platform/http/admit/access.ts'
import { makeProbeTest } from '../../platform/http/routes/probe.ts'
import { ProblemError } from '../../platform/lib/errors.ts'
import { NoticeLog } from '../../platform/log/notice-log.ts'
import { createAuthenticator } from '../../platform/auth/authenticator.ts'
import { lazySecretBox } from '../../platform/auth/secret-box.ts'
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
  const { admission, app, shutdown } = http
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
    isProbe: makeProbeTest(lazySecretBox(context.settings.secretKeyFile), now),
    isLeaving: () => shutdown.isLeaving,
  })
  app.server.on('upgrade', upgrade)
  refuseWithoutUpgrade(http, context)
  shutdown.onLeave(hurry => hub.leave(hurry))
  app.addHook('preClose', () => {
    userSessions.close()
    return hub.close()
  })
}

/** A proxy that keeps Upgrade to itself makes a plain request of a channel: alerts then reach no device at once. */
function refuseWithoutUpgrade({ app }: Http, { log }: Context): void {
  const notices = new NoticeLog(log)
  app.get(channelPath.replace(/\{(\w+)\}/, ':$1'), { exposeHeadRoute: false }, (request, reply) => {
    notices.warn(
      'no upgrade',
      { address: addressOf(request) },
      'a channel was asked for without Upgrade: the proxy in front has to pass WebSockets (docs/operate/proxy.md, npm run admin -- check)',
    )
    reply.header('upgrade', 'websocket').header('connection', 'upgrade')
    throw new ProblemError('upgrade-required', {
      detail: 'This address is a WebSocket. A proxy in front has to pass the headers Upgrade and Connection.',
    })
  })
}
