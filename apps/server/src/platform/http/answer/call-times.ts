import { type Endpoint, PRIORITIES } from '@floorcast/contract/endpoint.ts'
import type { FastifyReply } from 'fastify'
import type { Metrics } from '../../metrics/metrics.ts'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** 503 is apart: the server refuses for a reason that it shows elsewhere. */
const STATUSES = ['2xx', '3xx', '4xx', '503', '5xx'] as const

const classOf = (status: number) => (status === 503 ? '503' : (`${Math.floor(status / 100)}xx` as '2xx'))

/** Shows monitors how the contract's calls end and how long they take. @returns what is told of each answer as it begins to be sent */
export function timeCalls(metrics: Metrics): (endpoint: Endpoint, reply: FastifyReply) => void {
  const answers = metrics.counter(
    'calls_answered_total',
    'Answers to calls by the class of their status; 5xx is without 503.',
    STATUSES.map(status => ({ status })),
  )
  const seconds = metrics.histogram('call_seconds', 'From a call to the beginning of its answer.', {
    label: 'priority',
    buckets: SECONDS,
  })
  for (const priority of PRIORITIES) seconds.zero({ priority })
  return ({ priority }, reply) => {
    answers.inc({ status: classOf(reply.statusCode) })
    seconds.observe({ priority }, reply.elapsedTime / 1000)
  }
}
