import type { Context } from '../context.ts'
import { lookAtConditions } from '../features/conditions/conditions.ts'
import type { Jobs } from './jobs.ts'

const MINUTE_MS = 60_000

/** Looks at the state of all clients now and at each full minute. @returns a function that stops it and waits for the current look */
export function startWatching(
  context: Pick<Context, 'database' | 'files' | 'log' | 'now'>,
  jobs: Jobs,
): () => Promise<void> {
  return jobs.start({
    name: 'events',
    // Another server may do it.
    succeedsWithinMs: null,
    nextAt: now => new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS),
    run: async () => ((await lookAtConditions(context)) ? 'done' : 'skipped'),
    onFailure: error => context.log.error({ err: error }, 'the look for events of this minute failed'),
  })
}
