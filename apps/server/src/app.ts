import { release } from '@floorcast/contract/release.ts'
import type { Context } from './context.ts'
import { createAuthenticator, createOperatorAuthenticator } from './platform/auth/authenticator.ts'
import { lazySecretBox } from './platform/auth/secret-box.ts'
import { makeProxyTest } from './platform/http/admit/access.ts'
import { openAdmission, showLoad } from './platform/http/admit/admission.ts'
import { ChangeGate } from './platform/http/admit/rate-limits.ts'
import { timeCalls } from './platform/http/answer/call-times.ts'
import { makeHttpServer } from './platform/http/http-server.ts'
import { Http } from './platform/http/http.ts'
import { serveApiDocs } from './platform/http/routes/api-docs.ts'
import { makeProbeTest } from './platform/http/routes/probe.ts'
import { serveConsole } from './platform/http/routes/console-files.ts'
import { serveMetrics, serveService } from './platform/http/routes/service-routes.ts'
import type { Settings } from './platform/settings/settings.ts'
import { connectionsOfLimit, countConnections, readLimits } from './start-checks.ts'
import { version } from './version.ts'
import { watchInstallation } from './watch/installation-metrics.ts'
import { Readiness, SERVES_WITH } from './watch/readiness.ts'

function consoleSettings(settings: Settings) {
  const { publicUrl, apiUrl, logsUrl } = settings
  return {
    version: release.version,
    commit: version.commit,
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

/** Watches whether the server is ready while it listens. */
function openReadiness(context: Context, { app, shutdown }: Http): Readiness {
  const readiness = new Readiness(context, () => shutdown.hasBegun)
  app.addHook('onListen', done => {
    readiness.watch()
    done()
  })
  app.addHook('preClose', done => {
    readiness.close()
    done()
  })
  return readiness
}

/** Registers the calls of a feature, or of several that work together. */
export type Register = (http: Http, context: Context) => void | Promise<void>

/** Builds a server of features. It does not listen yet: `http.app.inject` sends it a request, `http.app.listen` opens it. */
export async function buildApp(context: Context, features: readonly Register[]): Promise<Http> {
  const { settings, database, log, now } = context
  const app = await makeHttpServer({
    log,
    trustProxy: settings.trustProxy,
    origins: { ...settings, storeOrigin: context.files.signed?.origin ?? null },
    limits: { maxOpen: countConnections(settings) },
  })
  const load = openAdmission(app, log)
  const { alerts } = database
  const http = new Http({
    app,
    admission: load.admission,
    now,
    changes: new ChangeGate({
      now,
      isDiskFull: () => context.incoming.isFull(),
      isReadOnly: () => context.installation.current().readOnly !== null,
    }),
    authenticator: createAuthenticator(database.auth, now),
    operators: createOperatorAuthenticator(database.operators, now),
    openScope: session => database.forClient(session.clientId),
    once: { openBox: lazySecretBox(settings.secretKeyFile), now },
    onAnswer: timeCalls(context.metrics),
    alerts: {
      authenticator: createAuthenticator(alerts.auth, now),
      openScope: session => alerts.forClient(session.clientId),
    },
  })
  showLoad(context.metrics, load)
  const readiness = openReadiness(context, http)
  const refresh = watchInstallation(context, readiness)
  if (settings.metricsToken !== null)
    serveMetrics(app, settings.metricsToken, async () => {
      await refresh()
      return context.metrics.text()
    })
  serveService(app, {
    console: consoleSettings(settings),
    publicUrl: settings.publicUrl,
    now,
    findReasons: () => readiness.reasons(),
    mayAllow: SERVES_WITH,
    probe: {
      isProbe: makeProbeTest(lazySecretBox(settings.secretKeyFile), now),
      isTrustedProxy: makeProxyTest(settings.trustProxy),
      facts: () => ({
        version: version.release,
        commit: version.commit,
        now: now(),
        maxConnections: countConnections(settings),
        filesForConnections: connectionsOfLimit(readLimits()),
      }),
    },
  })
  if (settings.apiDocs === 'open') await serveApiDocs(app, { ...settings, version: release.version })
  for (const register of features) await register(http, context)
  await serveConsole(app, settings.role === 'stream' ? null : context.consoleFolder)
  return http
}
