import { z } from 'zod'

/** Where traces go. */
export interface TraceSettings {
  endpoint: string
  headers: Record<string, string>
  /** The share of calls and jobs that are traced, 0 to 1. */
  share: number
}

/** `name=value`, separated by commas, with values in percent-encoding. */
export const TraceHeaders = z
  .string()
  .regex(/^[\w-]+=[^,=\s]+(,[\w-]+=[^,=\s]+)*$/, 'must be name=value, several separated by commas')
  .transform(text =>
    Object.fromEntries(
      text.split(',').map(header => {
        const [name = '', value = ''] = header.split('=')
        return [name, decodeURIComponent(value)]
      }),
    ),
  )

export const TraceShare = z.coerce
  .number('must be a number')
  .min(0, 'must be from 0 to 1')
  .max(1, 'must be from 0 to 1')

interface TraceEnvironment {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_HEADERS: Record<string, string>
  OTEL_TRACES_SAMPLER_ARG: number
}

export const traceSettingsOf = (environment: TraceEnvironment): TraceSettings | null =>
  environment.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
    ? null
    : {
        endpoint: environment.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers: environment.OTEL_EXPORTER_OTLP_HEADERS,
        share: environment.OTEL_TRACES_SAMPLER_ARG,
      }
