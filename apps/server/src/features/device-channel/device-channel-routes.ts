import type { Context } from '../../context.ts'
import type { Http } from '../../platform/http/http.ts'
import { createAuthenticator } from '../../platform/auth/authenticator.ts'
import type { Ingest } from '../ingest/ingest.ts'
import { ChannelHub } from './channel-hub.ts'
import { makeChannelUpgrade } from './channel-upgrade.ts'

/** Registers the channels on the server's `upgrade` event. Their heartbeats are ingested like those by HTTP. */
export function registerDeviceChannel(http: Http, context: Context, { heartbeats }: Ingest): void {
  const hub = new ChannelHub(context)
  const { admission } = http
  const authenticator = createAuthenticator(context.database.auth, context.now)
  const admitted: Ingest['heartbeats'] = {
    ...heartbeats,
    receive: (device, heartbeat) =>
      admission.run('heartbeat', device, () => heartbeats.receive(device, heartbeat)),
  }
  const upgrade = makeChannelUpgrade({ context, admission, authenticator, hub, heartbeats: admitted })
  http.app.server.on('upgrade', upgrade)
  http.app.addHook('preClose', () => hub.close())
}
