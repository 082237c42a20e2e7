import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { reportNames } from '@floorcast/contract/reports.ts'
import type { Context } from '../../context.ts'
import { sendWhileMade } from '../../platform/http/answer/send-file.ts'
import type { UserCall } from '../../platform/http/calls.ts'
import type { Http } from '../../platform/http/http.ts'
import { askForLastDays, checkReport, previewReport, writeReport } from './reports.ts'

export function registerReports(http: Http, context: Context): void {
  const { database, incoming, settings } = context
  const place = { dataDir: settings.dataDir, requireSpace: incoming.requireSpace }
  const callerOf = ({ scope, now, signal }: Pick<UserCall<Endpoint>, 'scope' | 'now' | 'signal'>) => {
    const exports = database.exports.forClient(scope.clientId)
    return { context, scope, exports, now, signal }
  }
  for (const name of reportNames) {
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
        sendWhileMade(call, place, async signal => {
          const caller = { ...callerOf(call), signal }
          return writeReport(name, await askForLastDays(caller), { ...caller, ...call.query })
        }),
      )
  }
}
