import type { Context } from '../../context.ts'
import type { Http } from '../../platform/http/http.ts'
import { createAuthenticator } from '../../platform/auth/authenticator.ts'
import type { Ingest } from '../ingest/ingest.ts'
import { ChannelHub } from './channel-hub.ts'
import { makeChannelUpgrade } from './channel-upgrade.ts'

/** Registers the channels on the server's `upgrade` event. Their heartbeats are ingested like those by HTTP. */
export function registerDeviceChannel(http: Http, context: Context, { heartbeats }: Ingest): void {
  const hub = new ChannelHub(context)
  const authenticator = createAuthenticator(context.database.auth, context.now)
  http.app.server.on('upgrade', makeChannelUpgrade({ context, authenticator, hub, heartbeats }))
  http.app.addHook('preClose', () => hub.close())
}
