import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { buildPath } from '@floorcast/contract/client.ts'
import { reportCalls, type ReportFormat } from '@floorcast/contract/report-calls.ts'
import { type ReportDefinition, reports, type ReportName } from '@floorcast/contract/reports.ts'
import type { FilledServer } from './filled-server.ts'
import { measureMemoryGrowth } from './server-process.ts'

/** A report that was read to its end. Times in milliseconds since it was asked for. */
export interface ReadReport {
  firstByte: number
  total: number
  bytes: number
}

export interface ReportRun {
  name: ReportName
  /** An IANA zone, or DEVICE_ZONES. */
  zone: string
  from: string
  to: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** The path of a report over everything. */
export const paramsOf = ({ name, zone, from, to }: ReportRun) => {
  const { filters }: ReportDefinition = reports[name]
  return { ...Object.fromEntries(filters.map(({ key }) => [key, 'all'])), zone, from, to }
}

/** Reads an answer to its end. */
export async function readAll(
  path: string,
  { url, token }: Pick<FilledServer, 'url' | 'token'>,
): Promise<ReadReport & { status: number }> {
  const begun = performance.now()
  const request = get(url + path, { agent, headers: { authorization: `Bearer ${token}` } })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  let [firstByte, bytes] = [0, 0]
  for await (const chunk of answer) {
    firstByte ||= performance.now() - begun
    bytes += (chunk as Buffer).byteLength
  }
  return { status: answer.statusCode ?? 0, firstByte, total: performance.now() - begun, bytes }
}

/** A file over HTTP, with the peak growth of the server's memory in MB; null if the server makes no file of so many rows, or not in time. */
export async function downloadReport(
  server: FilledServer,
  run: ReportRun,
  format: ReportFormat,
): Promise<(ReadReport & { memory: number }) | null> {
  const path = buildPath(reportCalls[run.name].download.path, paramsOf(run), { format })
  let read: Awaited<ReturnType<typeof readAll>> | undefined
  const memory = await measureMemoryGrowth(server.pid, async () => {
    read = await readAll(path, server)
  })
  if (read?.status === 413 || read?.status === 503) {
    console.error(`${path}: ${read.status}`)
    return null
  }
  if (read?.status !== 200) throw new Error(`${path}: ${read?.status}`)
  return { ...read, memory }
}

/** Milliseconds of the first rows as JSON. */
export async function previewReport(server: FilledServer, run: ReportRun): Promise<number> {
  const path = buildPath(reportCalls[run.name].preview.path, paramsOf(run))
  const { status, total } = await readAll(path, server)
  if (status !== 200) throw new Error(`${path}: ${status}`)
  return total
}
