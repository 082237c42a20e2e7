import { register } from '@floorcast/contract/auth.ts'
import type { Role, Rights } from '@floorcast/contract/endpoint.ts'
import type { ClientScope } from '@floorcast/server/platform/database/client-scope.ts'
import { hashPassword } from '@floorcast/server/platform/auth/password.ts'
import { hashToken, makeToken } from '@floorcast/server/platform/auth/token.ts'
import { uuidV7 } from '@floorcast/server/platform/lib/uuid-v7.ts'
import type { TestServer } from './test-server.ts'

/** Another user of a client, signed in: what its token may do is its role's and rights'. */
export async function signedInUser(
  scope: ClientScope,
  given: { role?: Role; rights?: Rights; linkedDeviceUid?: string; password?: string; at?: Date } = {},
): Promise<{ uid: string; email: string; token: string }> {
  const [uid, token, at] = [uuidV7(), makeToken(), given.at ?? new Date()]
  const email = `${uid}@shop.example`
  const later = new Date(at.getTime() + 20 * 86_400_000)
  const { clientId } = scope
  const passwordHash = given.password === undefined ? 'none' : await hashPassword(given.password)
  await scope.write(async writes => {
    await writes
      .insertInto('users')
      .values({
        uid,
        clientId,
        email,
        passwordHash,
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

/** Sign-ups that one address may send in ten minutes. */
const SIGN_UPS = 30

/** The status of the last of some sign-ups that a proxy passes on, each of another caller. */
export async function lastSignUp(person: object, { http }: Pick<TestServer, 'http'>): Promise<number> {
  let status = 0
  for (let caller = 0; caller <= SIGN_UPS; caller += 1)
    ({ statusCode: status } = await http.app.inject({
      method: 'POST',
      url: register.path,
      headers: { 'x-forwarded-for': `203.0.113.${caller}` },
      payload: { ...person, email: `caller${caller}@example.com` },
    }))
  return status
}
