import type { SessionUser } from '@floorcast/contract/auth.ts'
import { createStore, useStore } from './store.ts'
import { hasStrings, isRecord, oneOf } from './stored-shape.ts'
import { readStored, readStoredJson, writeStored } from './storage.ts'

/** A user without a token is locked; without a user, nobody is signed in. */
export interface Session {
  readonly user: SessionUser | null
  readonly token: string | null
  /** The server has ended it while something was being typed: the page waits for its user to sign in again. */
  readonly isInterrupted?: true
}

const tokenKey = 'floorcast.token'
const userKey = 'floorcast.user'
const fields = ['uid', 'username', 'firstName', 'lastName', 'email', 'subscriptionExpiresAt'] as const
const session = createStore(readStoredSession())

let began = 0

/** When this page's reading with the session began, by `performance.now()`: with the page, or when its user signed in. */
export const sessionBegan = (): number => began

function readStoredSession(): Session {
  const user = readUser(readStoredJson(userKey))
  return { user, token: user ? readStored(tokenKey) : null }
}

/** The stored user; null when the record is invalid or of an older version, so that the user signs in again. */
function readUser(stored: unknown): SessionUser | null {
  if (!isRecord(stored) || !hasStrings(stored, fields)) return null
  const { linkedDeviceUid: linked, role, rights }: Record<string, unknown> = stored
  return {
    uid: stored.uid,
    username: stored.username,
    firstName: stored.firstName,
    lastName: stored.lastName,
    email: stored.email,
    subscriptionExpiresAt: stored.subscriptionExpiresAt,
    role: oneOf(role, ['admin', 'manager', 'streamer'], 'manager'),
    rights: oneOf(rights, ['full', 'view'], 'view'),
    linkedDeviceUid: typeof linked === 'string' ? linked : null,
  }
}

/** Follows sign-in, lock and sign-out of other tabs. */
export function followOtherTabs(): void {
  addEventListener('storage', event => {
    if (event.key === tokenKey || event.key === userKey || event.key === null)
      session.set(readStoredSession())
  })
}

export const sessionStore = session

export function useSession(): Session {
  return useStore(session)
}

/** The user of a page behind the sign-in guard. @throws Error outside of it */
export function useSignedInUser(): SessionUser {
  const { user } = useSession()
  if (!user) throw new Error('A page behind the sign-in guard was drawn without a user')
  return user
}

/** Whether the user has full rights. `permissions` of an item say what the user may do with it. */
export function useMayChange(): boolean {
  return useSession().user?.rights === 'full'
}

/** Stores the session in this browser. */
export function saveSession(record: SessionUser & { token: string }): void {
  const { token, ...user } = record
  writeStored(userKey, JSON.stringify(user))
  writeStored(tokenKey, token)
  if (!session.get().user) began = performance.now()
  session.set({ user, token })
}

/** Updates the stored user after the profile was saved. */
export function updateUser(change: Partial<SessionUser>): void {
  const { user, token } = session.get()
  if (!user) return
  const next = { ...user, ...change }
  writeStored(userKey, JSON.stringify(next))
  session.set({ user: next, token })
}

/** Lock clears the token but keeps the user (docs/specification.md#4-states-and-transitions). */
export function dropToken(): void {
  writeStored(tokenKey, null)
  session.set({ user: session.get().user, token: null })
}

/** Like `dropSession`, but the page of this tab waits for its user. */
export function interruptSession(): void {
  const { user } = session.get()
  writeStored(tokenKey, null)
  writeStored(userKey, null)
  session.set({ user, token: null, isInterrupted: true })
}

/** Logout removes the user and the token (docs/specification.md#4-states-and-transitions). */
export function dropSession(): void {
  writeStored(tokenKey, null)
  writeStored(userKey, null)
  session.set({ user: null, token: null })
}
