import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { queries, type WatchedQuery } from '../platform/database/watched-client.ts'
import type { RequestFollower } from '../platform/http/request-scopes.ts'
import type { Log } from '../platform/log/log.ts'
import { jobRuns } from '../platform/metrics/watch-job.ts'
import type { TraceSettings } from '../platform/settings/trace-settings.ts'

/*
 * Traces for OpenTelemetry: a span for each call, each run of a job, and each statement of these. `server.ts` loads this module only where
 * OTEL_EXPORTER_OTLP_ENDPOINT is set. A span has the route and the statement with its placeholders, and no address, path, query, header,
 * token or value. Statements that several devices share are of the call that began their batch.
 */

const EXPORT_TIMEOUT_MS = 5000
/** A stop does not wait longer for a collector that is away. */
const CLOSE_MS = 2000
const MAX_TEXT_LENGTH = 2000
/** Monitors ask each few seconds. */
const UNTRACED = /^\/(health\/|metrics$)/

interface TraceOptions {
  settings: TraceSettings
  /** What the log's lines say of the server. */
  server: string
  version: string
  role: string
  log: Log
}

export interface Traces {
  calls: RequestFollower<Context>
  /** Sends what is left. */
  close(): Promise<void>
}

export function openTraces(options: TraceOptions): Traces {
  const { settings, server, version, role, log } = options
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'floorcast',
      'service.instance.id': server,
      'service.version': version,
      'floorcast.role': role,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.share) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: logFailures(
          new OTLPTraceExporter({ url: `${settings.endpoint}/v1/traces`, headers: settings.headers }),
          log,
        ),
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  })
  const tracer = provider.getTracer('floorcast', version)
  const current = new AsyncLocalStorage<Context>()
  const begin: Begin = (name, options, parent = ROOT_CONTEXT) => tracer.startSpan(name, options, parent)
  const stopJobs = watchJobs(current, begin)
  const stopQueries = watchQueries(current, begin)
  return {
    calls: followCalls(current, begin),
    async close() {
      stopJobs()
      stopQueries()
      const end = setTimeout(() => log.warn('the last traces were not sent'), CLOSE_MS)
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        new Promise(resolve => setTimeout(resolve, CLOSE_MS).unref()),
      ])
      clearTimeout(end)
    },
  }
}

type Begin = (name: string, options: SpanOptions, parent?: Context) => Span
type Current = AsyncLocalStorage<Context>

/** Logs one line when spans cannot be sent, and one when they can again. */
function logFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let hasFailed = false
  return {
    export: (spans, done) =>
      exporter.export(spans, result => {
        const isFailure = result.error !== undefined
        if (isFailure && !hasFailed) log.warn({ err: result.error }, 'traces cannot be sent')
        if (!isFailure && hasFailed) log.info('traces are sent again')
        hasFailed = isFailure
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

function fail(span: Span | undefined, error: unknown): void {
  const { code } = error as { code?: unknown }
  const type = typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown'
  span?.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', type)
}

const followCalls = (current: Current, begin: Begin): RequestFollower<Context> => ({
  begin({ id, method, route }) {
    if (route !== undefined && UNTRACED.test(route)) return null
    const attributes = {
      'http.request.method': method,
      'floorcast.request_id': id,
      ...(route === undefined ? {} : { 'http.route': route }),
    }
    const name = route === undefined ? method : `${method} ${route}`
    return trace.setSpan(ROOT_CONTEXT, begin(name, { kind: SpanKind.SERVER, attributes }))
  },
  enter: (context, work) => current.run(context, work),
  end(context, { status, outcome }) {
    const span = trace.getSpan(context)
    span?.setAttribute('http.response.status_code', status)
    if (outcome !== undefined) span?.setAttribute('floorcast.outcome', outcome)
    if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  },
})

function watchJobs(current: Current, begin: Begin): () => void {
  const spans = new WeakMap<object, Span>()
  const handlers = {
    error: (run: { error: unknown }) => fail(spans.get(run), run.error),
    asyncEnd: (run: object) => spans.get(run)?.end(),
  }
  jobRuns.start.bindStore(current, run => {
    const { job } = run
    const span = begin(`job ${job}`, { attributes: { 'floorcast.job': job } })
    spans.set(run, span)
    return trace.setSpan(ROOT_CONTEXT, span)
  })
  jobRuns.error.subscribe(handlers.error as never)
  jobRuns.asyncEnd.subscribe(handlers.asyncEnd as never)
  return () => {
    jobRuns.start.unbindStore(current)
    jobRuns.error.unsubscribe(handlers.error as never)
    jobRuns.asyncEnd.unsubscribe(handlers.asyncEnd as never)
  }
}

/** A statement without the few values that are no parameters. */
const withoutValues = (text: string) =>
  text
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll(/'(?:[^']|'')*('|$)/g, '?')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Statements of calls and jobs; others, such as those of the pools themselves, have no span. */
function watchQueries(current: Current, begin: Begin): () => void {
  const spans = new WeakMap<object, Span>()
  const handlers = {
    start(query: WatchedQuery) {
      const parent = current.getStore()
      // A begin waits for nothing: it is sent with what follows.
      if (parent === undefined || query.text.startsWith('begin')) return
      const text = withoutValues(query.text)
      const operation = /^(?:\/\*.*?\*\/ ?)*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL'
      const attributes = {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.query.text': text,
      }
      spans.set(query, begin(operation, { kind: SpanKind.CLIENT, attributes }, parent))
    },
    error: (query: { error: unknown }) => fail(spans.get(query), query.error),
    asyncEnd: (query: object) => spans.get(query)?.end(),
  }
  const typed = handlers as unknown as Parameters<typeof queries.subscribe>[0]
  queries.subscribe(typed)
  return () => queries.unsubscribe(typed)
}
