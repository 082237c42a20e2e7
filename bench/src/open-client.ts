import { randomUUID } from 'node:crypto'
import { hashToken, makeToken } from '@floorcast/server/platform/auth/token.ts'
import type { Database } from '@floorcast/server/platform/database/database.ts'
import { makeClient } from '@floorcast/testing/factories.ts'

/** Registers a client with a signed-in admin. */
export async function openClient(database: Database) {
  const { clientId, userUid, scope } = await makeClient(database, { at: new Date() })
  const token = makeToken()
  const far = new Date(Date.now() + 86_400_000)
  const session = { createdAt: new Date(), lastUsedAt: new Date(), idleExpiresAt: far, expiresAt: far }
  await scope.write(writes =>
    writes
      .insertInto('sessions')
      .values({ uid: randomUUID(), clientId, userUid, tokenHash: hashToken(token), ...session })
      .execute(),
  )
  return { clientId, token, scope }
}
