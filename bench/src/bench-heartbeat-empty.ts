import { Heartbeat, sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { endpoint, openToAll } from '@floorcast/contract/endpoint.ts'
import { Http } from '@floorcast/server/platform/http/http.ts'
import { makeHttpServer } from '@floorcast/server/platform/http/http-server.ts'
import { openAdmission } from '@floorcast/server/platform/http/admit/admission.ts'
import { makeLog } from '@floorcast/server/platform/log/log.ts'

/*
 * The server's own HTTP platform with two calls: they parse a heartbeat and a list of events as the real ones do, answer as much,
 * and store nothing. A separate program, with which `npm run bench -- heartbeat` and `ingest` compare the server.
 */
const MAX_LIST_BYTES = 4 * 1024 * 1024
const address = 'http://localhost'
const origins = { publicUrl: address, streamUrl: address, logsUrl: address }
const nobody = async () => null
const nowhere = { clientId: '', deviceUid: '', groupUid: null, reporterUid: null }
const device = { ...nowhere, kind: 'audio', name: 'Any device' } as const
const callers = {
  authenticator: { userByToken: nobody, userByTicket: nobody, deviceByToken: async () => device },
  openScope: () => {
    throw new Error('nobody signs in here')
  },
}
const log = makeLog('error')
const app = await makeHttpServer({ log, trustProxy: false, origins })
const { admission } = openAdmission(app, log)
const http = new Http({ app, admission, now: () => new Date(), ...callers, alerts: callers })
const empty = endpoint({
  path: sendHeartbeat.path,
  summary: 'Nothing',
  access: openToAll,
  priority: 'heartbeat',
  body: Heartbeat,
  answer: sendHeartbeat.answer,
})
const manifestEtag = `"${'0'.repeat(32)}"`
http.forAll(empty, async call => ({ serverTime: call.now.toISOString(), manifestEtag, alerts: [] }))
http.forDevices(
  sendEvents,
  async ({ body }) => ({ code: 200, accepted: body.length, duplicates: 0, refused: [] }),
  { bodyLimit: MAX_LIST_BYTES },
)
await app.listen({ port: 0, host: '127.0.0.1' })
const bound = app.server.address()
if (typeof bound === 'object') console.log(`http://localhost:${bound?.port}`)
process.once('SIGTERM', () => {
  app.close().catch((error: unknown) => console.error(error))
})
