/** A worker that parses the JSON of a call by the contract. It sends an array in parts. */
import { endpoints } from '@floorcast/contract/endpoints.ts'
import { answerJobs } from '../../lib/worker-jobs.ts'
import { parseBody, parseJsonText } from './input.ts'

export interface LargeBodyJob {
  /** The path of the endpoint, which is a POST. */
  path: string
  bytes: ArrayBuffer
}

const ITEMS_A_PART = 1000

function bodyOf(path: string) {
  const described = endpoints.find(({ endpoint }) => endpoint.method === 'POST' && endpoint.path === path)
  if (!described) throw new Error(`${path} is not in the contract`)
  return described.endpoint.body
}

answerJobs<LargeBodyJob, unknown[]>(async ({ path, bytes }, emit) => {
  const body: unknown = parseBody(bodyOf(path), parseJsonText(Buffer.from(bytes).toString('utf8')))
  if (!Array.isArray(body)) return { whole: body }
  for (let at = 0; at < body.length; at += ITEMS_A_PART) await emit(body.slice(at, at + ITEMS_A_PART))
  return null
})
