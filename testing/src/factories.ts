import type { EditState } from '@floorcast/contract/groups.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import { createHash, randomBytes } from 'node:crypto'
import type { ClientScope } from '@floorcast/server/platform/database/client-scope.ts'
import type { Database } from '@floorcast/server/platform/database/database.ts'
import { uuidV7 } from '@floorcast/server/platform/lib/uuid-v7.ts'

/** A moment on which tests agree: a Saturday in November, noon in UTC. */
export const TEST_NOW = new Date('2026-11-21T12:00:00.000Z')

export interface TestClient {
  clientId: string
  userUid: string
  email: string
  scope: ClientScope
}

/** Registers a client with its first user, an admin, through the auth functions. The password's hash fits no password. */
export async function makeClient(
  database: Database,
  given: { name?: string; planKey?: string; email?: string; passwordHash?: string; at?: Date } = {},
): Promise<TestClient> {
  const [clientId, userUid, at] = [uuidV7(), uuidV7(), given.at ?? TEST_NOW]
  const email = given.email ?? `${userUid}@shop.example`
  const isMade = await database.auth.register({
    clientUid: clientId,
    clientName: given.name ?? 'Corner Shops',
    planKey: given.planKey ?? 'professional',
    subscriptionExpiresAt: new Date(at.getTime() + 30 * 86_400_000),
    userUid,
    email,
    passwordHash: given.passwordHash ?? 'none',
    firstName: 'Ada',
    lastName: 'Miller',
    at,
  })
  if (!isMade) throw new Error(`${email} is taken`)
  return { clientId, userUid, email, scope: database.forClient(clientId) }
}

const recorded = (at: Date) => ({ createdAt: at, changedAt: at })

/** Adds a device with a new license key; with `groupUid` it is in that group. */
export async function makeDevice(
  scope: ClientScope,
  given: { name?: string; storeNumber?: string; kind?: Kind; groupUid?: string; at?: Date } = {},
): Promise<{ uid: string; licenseKey: string }> {
  const [uid, licenseKey] = [uuidV7(), randomBytes(12).toString('hex').toUpperCase()]
  await scope.write(writes =>
    writes
      .insertInto('devices')
      .values({
        uid,
        clientId: scope.clientId,
        kind: given.kind ?? 'audio',
        name: given.name ?? 'Till radio',
        storeNumber: given.storeNumber ?? '',
        groupUid: given.groupUid ?? null,
        licenseKey,
        ...recorded(given.at ?? TEST_NOW),
      })
      .execute(),
  )
  return { uid, licenseKey }
}

/** Adds a group, paused by default. */
export async function makeGroup(
  scope: ClientScope,
  given: { name?: string; kind?: Kind; state?: EditState; at?: Date } = {},
): Promise<string> {
  const uid = uuidV7()
  await scope.write(writes =>
    writes
      .insertInto('groups')
      .values({
        uid,
        clientId: scope.clientId,
        kind: given.kind ?? 'audio',
        name: given.name ?? 'North shops',
        state: given.state ?? 'paused',
        ...recorded(given.at ?? TEST_NOW),
      })
      .execute(),
  )
  return uid
}

/** Adds a media item with its file's record; the bytes are nowhere. */
export async function makeMedia(
  scope: ClientScope,
  given: {
    name?: string
    contentType?: MediaType
    durationSeconds?: number
  } = {},
): Promise<{ uid: string; sha256: string }> {
  const uid = uuidV7()
  const sha256 = createHash('sha256').update(uid).digest('hex')
  const { clientId } = scope
  await scope.write(async writes => {
    await writes
      .insertInto('mediaItems')
      .values({
        uid,
        clientId,
        contentType: given.contentType ?? 'melodies',
        name: given.name ?? 'Morning tune',
        originalName: `${uid}.mp3`,
        ...recorded(TEST_NOW),
      })
      .execute()
    await writes
      .insertInto('mediaFiles')
      .values({
        mediaUid: uid,
        fileVersion: 1,
        clientId,
        sha256,
        mimeType: 'audio/mpeg',
        sizeBytes: 4_000_000,
        durationSeconds: given.durationSeconds ?? 180,
        uploadedAt: TEST_NOW,
      })
      .execute()
  })
  return { uid, sha256 }
}
