import type { Context } from '../../context.ts'
import type { ClientScope, Writes } from '../../platform/database/client-scope.ts'
import { readAlert } from '../alert-progress/alert-progress.ts'
import { addEvent } from '../client-events/client-events.ts'
import { eachClient } from './each-client.ts'
import {
  findClientsWithItemNews,
  findPublicationFacts,
  type ItemChange,
  settleAlerts,
  settlePublications,
  settleUpdates,
} from './item-conditions-queries.ts'

const eventOfState = { ready: 'publication.ready', missing: 'publication.missing-files' } as const
const wordOf = (state: string | null) => state?.split(' ')[0]

async function tellPublications(writes: Writes, at: { clientId: string; at: Date }, changes: ItemChange[]) {
  if (changes.length === 0) return
  const uids = changes.map(({ uid }) => uid)
  const facts = new Map((await findPublicationFacts(writes, uids, at.at)).map(each => [each.uid, each]))
  for (const { uid, state } of changes) {
    const found = facts.get(uid)
    if (!found) continue
    const publication = { uid, name: found.name }
    if (state === null) addEvent(writes, at, { kind: 'publication.ended', publication })
    const word = wordOf(state)
    if (word === 'ready' || word === 'missing')
      addEvent(writes, at, {
        kind: eventOfState[word],
        publication,
        devices: word === 'ready' ? found.devices : found.missing,
      })
  }
}

function tellUpdates(writes: Writes, at: { clientId: string; at: Date }, changes: ItemChange[]) {
  const deviceUids = changes.filter(({ state }) => state !== null).map(({ uid }) => uid)
  if (deviceUids.length > 0)
    addEvent(writes, at, { kind: 'update.failed', deviceCount: deviceUids.length, deviceUids })
}

async function tellAlerts(writes: Writes, at: { clientId: string; at: Date }, changes: ItemChange[]) {
  for (const { uid, state } of changes) {
    if (state === null) continue
    const { kind: alertKind, isDrill, target, devices } = await readAlert({ reads: writes }, uid)
    const { failed, 'not-reached': notReached } = devices
    if (failed + notReached > 0)
      addEvent(writes, at, {
        kind: 'alert.not-sounded',
        alertUid: uid,
        alertKind,
        isDrill,
        target,
        failed,
        notReached,
      })
  }
}

async function settleClient(scope: ClientScope, now: Date): Promise<void> {
  const at = { clientId: scope.clientId, at: now }
  await scope.write(async writes => {
    await tellPublications(writes, at, await settlePublications(writes, now))
    tellUpdates(writes, at, await settleUpdates(writes, now))
    await tellAlerts(writes, at, await settleAlerts(writes, now))
  })
}

/** Makes the events of publications, updates and alerts that have changed since the last look, of all clients. */
export async function lookAtItems(context: Pick<Context, 'database' | 'log'>, now: Date): Promise<void> {
  const clientIds = await findClientsWithItemNews(context.database.ingest.statements, now)
  await eachClient(context, clientIds, scope => settleClient(scope, now))
}
