import { type DeviceManifest, parseDeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { parseProgramme } from '@floorcast/contract/device-programme.ts'
import { readManifest, readProgramme } from '@floorcast/contract/device-protocol.ts'
import { Manifest, PROTOCOL } from '@floorcast/contract/manifest.ts'
import type { ClientScope } from '@floorcast/server/platform/database/client-scope.ts'
import { z } from 'zod'
import { openPlayer } from './test-device.ts'
import type { TestServer } from './test-server.ts'

/** A device's manifest: as sent, and as the device reads it with its programmes. */
export interface ReadManifest {
  etag: string
  body: string
  sent: Manifest
  manifest: DeviceManifest
}

async function compose(
  { etag, body }: { etag: string; body: string },
  readText: (sha256: string) => Promise<string>,
): Promise<ReadManifest> {
  const sent = z.object({ data: Manifest }).parse(JSON.parse(body)).data
  const programmes = new Map<string, string>()
  for (const { programme } of sent.publications) programmes.set(programme, await readText(programme))
  const reading = parseDeviceManifest(sent, sha256 =>
    parseProgramme(JSON.parse(programmes.get(sha256) ?? 'null')),
  )
  if (!reading || reading.unknown.length > 0) throw new Error(`the manifest is not read: ${reading?.unknown}`)
  return { etag, body, sent, manifest: reading.manifest }
}

/** Reads the manifest and the programmes of a player by HTTP. */
export async function readPlayerManifest(
  server: TestServer,
  player: { token: string; params: { playpointid: string } },
): Promise<ReadManifest> {
  const { token, params } = player
  const answer = await server.ask(readManifest, { token, params, query: { protocol: PROTOCOL } })
  if (answer.statusCode !== 200) throw new Error(`HTTP ${answer.statusCode}: ${answer.body}`)
  return compose({ etag: String(answer.headers['etag']), body: answer.body }, async sha256 => {
    const programme = await server.ask(readProgramme, { token, params: { sha256 } })
    return programme.body
  })
}

/** Reads the manifests of a server's devices, each with its own player. */
export function manifestReader(server: TestServer) {
  const players = new Map<string, Promise<{ token: string; params: { playpointid: string } }>>()
  return async ({ reads }: ClientScope, deviceUid: string): Promise<ReadManifest> => {
    const device = reads.selectFrom('devices').where('uid', '=', deviceUid).select('licenseKey')
    const open = async () => openPlayer(server, (await device.executeTakeFirstOrThrow()).licenseKey)
    const player = players.get(deviceUid) ?? open()
    players.set(deviceUid, player)
    return readPlayerManifest(server, await player)
  }
}
