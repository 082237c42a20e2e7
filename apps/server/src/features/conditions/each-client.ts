import type { Context } from '../../context.ts'
import type { ClientScope } from '../../platform/database/client-scope.ts'

/** Looks at clients one after another. A client whose look fails is looked at again the next time; the others are now. */
export async function eachClient(
  { database, log }: Pick<Context, 'database' | 'log'>,
  clientIds: readonly string[],
  look: (scope: ClientScope) => Promise<void>,
): Promise<void> {
  for (const clientId of clientIds)
    try {
      await look(database.forClient(clientId))
    } catch (err) {
      log.error({ err, clientId }, 'the look at a client for its events failed')
    }
}
