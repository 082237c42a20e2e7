import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Client, makeClient } from '@floorcast/contract/client.ts'
import { addPublication, changePublicationState } from '@floorcast/contract/publications.ts'
import { addDevice, readDevice } from '@floorcast/contract/devices.ts'
import { addGroup, addToGroup, changeGroupState } from '@floorcast/contract/groups.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import { listMedia, type MediaType } from '@floorcast/contract/media.ts'
import { Outcome } from '@floorcast/contract/outcomes.ts'
import { addPlaylist, addTrack, changePlaylistState } from '@floorcast/contract/playlists.ts'
import { authenticate, register } from '@floorcast/contract/auth.ts'
import { acceptLink, inviteUser } from '@floorcast/contract/users.ts'
import { z } from 'zod'

export const owner = {
  fullName: 'Olga Petrova',
  email: 'olga@example.com',
  password: 'a bicycle of the owner',
}

export type Owner = typeof owner

let addresses = 0
/** An email address that nobody else has, on a server that test files share. */
export const newEmail = (name: string) => `${name}.${++addresses}@example.com`

export interface SignedInClient {
  call: Client
  token: string
  url: string
  email: string
}

const ANSWER_MS = 60_000

/** A call to a server that hangs fails before the hook or the test around it is over. */
const clientOf = (url: string, token: string | null): Client =>
  makeClient({
    base: url,
    token: () => token,
    fetch: (address, init) => fetch(address, { signal: AbortSignal.timeout(ANSWER_MS), ...init }),
  })

/** Registers the owner of a new client and signs in. */
export async function registerOwner(url: string, account: Owner = owner): Promise<SignedInClient> {
  const anonymous = clientOf(url, null)
  const { token } = await anonymous(register, { body: { ...account, terms: true } })
  return { call: clientOf(url, token), token, url, email: account.email }
}

export const signInOwner = (url: string): Promise<SignedInClient> => signInUser(url, owner)

export async function signInUser(
  url: string,
  { email, password }: BodyOf<typeof authenticate>,
): Promise<SignedInClient> {
  const anonymous = clientOf(url, null)
  const { token } = await anonymous(authenticate, { body: { email, password } })
  return { call: clientOf(url, token), token, url, email }
}

/** Invites a manager with view-only rights of the same client, and signs in. */
export const inviteReader = (client: SignedInClient): Promise<SignedInClient> =>
  invite(client, { email: newEmail('rita'), role: 'manager', rights: 'view' })

/** Invites a manager with full rights of the same client, and signs in. */
export const inviteManager = (client: SignedInClient): Promise<SignedInClient> =>
  invite(client, { email: newEmail('marta'), role: 'manager', rights: 'full' })

/** Invites an admin with view-only rights of the same client, and signs in. */
export const inviteViewingAdmin = (client: SignedInClient): Promise<SignedInClient> =>
  invite(client, { email: newEmail('vera'), role: 'admin', rights: 'view', password: owner.password })

/** Invites a user who plays a device in a browser, and signs in. */
export const inviteStreamer = (client: SignedInClient, linkedDeviceUid: string): Promise<SignedInClient> =>
  invite(client, { email: newEmail('shop'), role: 'streamer', rights: 'view', linkedDeviceUid })

async function invite(
  { call, url }: SignedInClient,
  body: BodyOf<typeof inviteUser>,
): Promise<SignedInClient> {
  const invited = await call(inviteUser, { body })
  const link = new URL(invited.link ?? '').hash.split('=').at(-1) ?? ''
  const anonymous = clientOf(url, null)
  const { token } = await anonymous(acceptLink, { body: { token: link, password: owner.password } })
  return { call: clientOf(url, token), token, url, email: body.email }
}

/** Uploads one file as `type`; resolves with its uid. @throws Error when the server refuses it */
export async function uploadFile(client: SignedInClient, type: MediaType, path: string): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([await readFile(path)]), basename(path))
  const response = await fetch(`${client.url}/${type}/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}` },
    body: form,
  })
  return createdUid(z.object({ data: Outcome }).parse(await response.json()).data)
}

/** The uid of what a call has made. @throws Error when it was refused */
export function createdUid(outcome: Outcome): string {
  if (outcome.code !== 200 || !outcome.uid) throw new Error(`Refused: ${JSON.stringify(outcome)}`)
  return outcome.uid
}

/** @throws Error when a call was refused */
export const assertCode = (outcome: Outcome, code: number) => {
  if (outcome.code !== code) throw new Error(`Refused: ${JSON.stringify(outcome)}`)
}

export interface PublishedDevice {
  deviceUid: string
  licenseKey: string
  publicationUid: string
}

interface StoredFile {
  path: string
}

/** Publishes over HTTP: files → playlist → device in a group → active publication. */
export const publishToDevice = (
  client: SignedInClient,
  songs: readonly StoredFile[],
  ads: readonly StoredFile[] = [],
): Promise<PublishedDevice> =>
  publishFiles(client, 'audio', [
    ...songs.map(({ path }) => ({ type: 'melodies', path }) as const),
    ...ads.map(({ path }) => ({ type: 'ads', path }) as const),
  ])

export async function publishFiles(
  client: SignedInClient,
  kind: Kind,
  files: readonly { type: MediaType; path: string }[],
): Promise<PublishedDevice> {
  const { call } = client
  const params = { contentType: kind }
  const playlist = createdUid(await call(addPlaylist, { params, body: { name: 'Shop floor' } }))
  for (const { type, path } of files) {
    const track = await uploadFile(client, type, path)
    assertCode(await call(addTrack, { params: { track, playlist } }), 200)
  }
  assertCode(await call(changePlaylistState, { params: { id: playlist }, query: { from: 'paused' } }), 0)
  const device = createdUid(await call(addDevice, { params, body: { name: 'Till 1' } }))
  const group = createdUid(await call(addGroup, { params, body: { name: 'City shops' } }))
  assertCode(await call(addToGroup, { params: { device, group } }), 200)
  assertCode(await call(changeGroupState, { params: { id: group }, query: { from: 'paused' } }), 0)
  const publicationUid = createdUid(
    await call(addPublication, { params, body: { name: 'On air', groupUid: group, playlistUid: playlist } }),
  )
  assertCode(
    await call(changePublicationState, { params: { id: publicationUid }, query: { from: 'disabled' } }),
    0,
  )
  const card = await call(readDevice, { params: { id: device } })
  if (!card.licenseKey) throw new Error('A new device shows no license key')
  return { deviceUid: device, licenseKey: card.licenseKey, publicationUid }
}

/** Gives every melody of the client this picture. */
export async function addPictures(client: SignedInClient, path: string): Promise<void> {
  const { items } = await client.call(listMedia, { params: { contentType: 'melodies' }, query: {} })
  for (const { uid } of items) {
    const form = new FormData()
    form.set('uid', uid)
    form.set('preview', new Blob([await readFile(path)]), basename(path))
    const response = await fetch(`${client.url}/melodies/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}` },
      body: form,
    })
    assertCode(z.object({ data: Outcome }).parse(await response.json()).data, 200)
  }
}
