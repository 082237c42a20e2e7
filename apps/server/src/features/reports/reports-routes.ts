import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { DEVICE_ZONES, servedReports } from '@floorcast/contract/reports.ts'
import type { Context } from '../../context.ts'
import type { Http, UserCall } from '../../platform/http/http.ts'
import { sendWhileMade } from '../../platform/http/download.ts'
import { checkReport, previewReport, writeReport } from './reports.ts'

const DAY_MS = 86_400_000
const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** The last seven days, with today in UTC, in the devices' own zones. */
const lastDays = (now: Date) => ({
  from: dayOf(new Date(now.getTime() - 6 * DAY_MS)),
  to: dayOf(now),
  zone: DEVICE_ZONES,
})

export function registerReports(http: Http, { database, files, settings }: Context): void {
  const place = { dataDir: settings.dataDir, requireSpace: files.requireSpace }
  const callerOf = ({ scope, now, signal }: Pick<UserCall<Endpoint>, 'scope' | 'now' | 'signal'>) => {
    const exports = database.exports.forClient(scope.clientId)
    return { scope, exports, now, signal }
  }
  for (const name of servedReports) {
    const { download, preview, recent } = reportCalls[name]
    http.forUsers(preview, call => previewReport(name, call.params, callerOf(call)))
    http.streamToUsers(download, async call => {
      // HEAD makes no file, and is refused as GET is.
      if (call.request.method === 'HEAD') await checkReport(name, call.params, callerOf(call))
      return sendWhileMade(call, place, signal =>
        writeReport(name, call.params, { ...callerOf(call), ...call.query, signal }),
      )
    })
    if (recent)
      http.streamToUsers(recent, call =>
        sendWhileMade(call, place, signal =>
          writeReport(name, lastDays(call.now), { ...callerOf(call), ...call.query, signal }),
        ),
      )
  }
}
