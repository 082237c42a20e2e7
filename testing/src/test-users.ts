import type { Role, Rights } from '@floorcast/contract/endpoint.ts'
import type { ClientScope } from '@floorcast/server/platform/database/client-scope.ts'
import { hashToken, makeToken } from '@floorcast/server/platform/auth/token.ts'
import { uuidV7 } from '@floorcast/server/platform/lib/uuid-v7.ts'

/** Another user of a client, signed in: what its token may do is its role's and rights'. */
export async function signedInUser(
  scope: ClientScope,
  given: { role?: Role; rights?: Rights; linkedDeviceUid?: string } = {},
): Promise<{ uid: string; email: string; token: string }> {
  const [uid, token, at] = [uuidV7(), makeToken(), new Date()]
  const email = `${uid}@shop.example`
  const later = new Date(at.getTime() + 20 * 86_400_000)
  const { clientId } = scope
  await scope.write(async writes => {
    await writes
      .insertInto('users')
      .values({
        uid,
        clientId,
        email,
        passwordHash: 'none',
        role: given.role ?? 'manager',
        rights: given.rights ?? 'full',
        linkedDeviceUid: given.linkedDeviceUid ?? null,
        createdAt: at,
        changedAt: at,
      })
      .execute()
    const tokenHash = hashToken(token)
    const times = { createdAt: at, lastUsedAt: at, idleExpiresAt: later, expiresAt: later }
    await writes
      .insertInto('sessions')
      .values({ uid: uuidV7(), clientId, userUid: uid, tokenHash, ...times })
      .execute()
  })
  return { uid, email, token }
}
