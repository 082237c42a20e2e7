import { buildApp } from '@floorcast/server/app.ts'
import type { Context } from '@floorcast/server/context.ts'
import { featuresOf } from '@floorcast/server/features.ts'

/** A server for this machine alone, on the demonstration's database, whose clock is set by hand: calls know no other time than now. */
export interface PastServer {
  origin: string
  /** @param at milliseconds since 1970 */
  setTime: (at: number) => void
  /** Stores how many devices are connected at this time, for charts. */
  sample: () => Promise<void>
  close: () => Promise<void>
}

export async function openPast(context: Context): Promise<PastServer> {
  let at = context.now().getTime()
  const { jobs } = context.database
  const http = await buildApp({ ...context, now: () => new Date(at) }, featuresOf(context.settings.role))
  await http.app.listen({ host: '127.0.0.1', port: 0 })
  const address = http.app.server.address()
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`,
    setTime: time => void (at = time),
    sample: async () => {
      await jobs.sampleConnectivity(new Date(at))
      await jobs.sampleGroups(new Date(at))
    },
    close: () => http.app.close(),
  }
}
