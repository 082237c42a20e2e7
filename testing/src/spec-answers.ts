/* The calls and answers of a client that knows only docs/specification.md. */

interface Item {
  uid: string
  name: string
  state?: string
}
/** Answers as in the specification: in a data field. */
export interface Data extends Item {
  code: number
  token: string
  items: Item[]
  total: number
  names: string[]
  licenseKey: string
  playpointid: string
  linkUid: string
  m3u8: string
  [field: string]: unknown
}

/** The calls of the specification for charts and for reports on today. */
export function chartAndReportPaths(now: Date): string[] {
  const today = now.toISOString().slice(0, 10)
  const period = `from/${today}/to/${today}/regiontime/Europe%2FBerlin`
  const charts = ['playtrack-detailed', 'active-devices', 'free-space', 'la-1min', 'la-5min', 'la-15min']
  const reports = ['s1ext', 's2ext', 'alert1', 'alert2', 'alert3', 'statetx/all/all', 'r1ext/all/all/all']
  return [
    ...charts.map(chart => `/chart/${chart}/cached`),
    ...reports.map(report => `/report/${report}/${period}`),
    ...['r2', 'r3', 'playpoints/tags'].map(report => `/report/${report}`),
  ]
}
