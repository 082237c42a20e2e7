import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { addTrack } from '@floorcast/contract/playlists.ts'
import { AgentFixture } from '@floorcast/testing/agent-process.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { newShop, type Shop } from '@floorcast/testing/test-shop.ts'
import { expect, onTestFinished, test } from 'vitest'

/*
 * The fixtures are bundles of tools/build-agent.ts, named by version and commit. Shops run an agent for years, so the
 * current server must serve them. The agent of 55f086e parses strictly.
 */
const folder = fileURLToPath(new URL('../fixtures/', import.meta.url))
const server = await wholeServer()
const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })
const { upload } = uploader(server)

/** A device whose group has a publication of two short songs that is not active yet. */
async function makePublication() {
  const shop = await newShop(server)
  const group = await shop.group()
  await shop.turnGroup(group)
  const playlist = await shop.emptyPlaylist()
  for (const [index, seconds] of [2, 3].entries()) {
    const bytes = makeSong({ notes: [index, 3, 5], seconds })
    const { uid = '' } = await upload(shop.token, 'melodies', { bytes, name: `song ${index}.mp3` })
    await server.call(addTrack, { token: shop.token, params: { track: uid, playlist } })
  }
  await shop.turnPlaylist(playlist)
  const publication = (await shop.publish(group, playlist)).uid ?? ''
  return { shop, group, publication, ...(await makeDevice(shop.scope, { groupUid: group })) }
}

const completePlaysOf = ({ scope }: Shop, deviceUid: string) =>
  scope.reads
    .selectFrom('plays')
    .where('deviceUid', '=', deviceUid)
    .where('result', '=', 'complete')
    .select('trackName')
    .execute()

const alertStepsOf = async ({ scope }: Shop, deviceUid: string) => {
  const logs = await scope.reads
    .selectFrom('deviceLogs')
    .where('deviceUid', '=', deviceUid)
    .where('kind', '=', 'alert')
    .select('details')
    .orderBy('sequence')
    .execute()
  return logs.map(({ details }) => details['step'])
}

test.each(readdirSync(folder))('%s plays, reports and plays alerts with the current server', async bundle => {
  const { shop, group, publication, uid, licenseKey } = await makePublication()
  const agent = await AgentFixture.make(folder + bundle)
  onTestFinished(() => agent.clear())
  const run = agent.start(origin, { key: licenseKey })
  const hasState = () =>
    shop.scope.reads
      .selectFrom('deviceStates')
      .where('deviceUid', '=', uid)
      .select('programVersion')
      .executeTakeFirst()
  await eventually(async () =>
    expect(bundle).toContain(`agent-${(await hasState())?.programVersion?.replace(/\+.*/, '')}-`),
  )
  expect(await shop.turn(publication)).toMatchObject({ code: 0 })
  await eventually(async () => expect((await shop.card(publication)).readiness).toMatchObject({ holding: 1 }))
  await eventually(async () => {
    const plays = await completePlaysOf(shop, uid)
    expect(new Set(plays.map(({ trackName }) => trackName))).toEqual(new Set(['song 0', 'song 1']))
  })

  const params = { uid: group, alerttype: 'air' }
  await server.call(beginAlert, { token: shop.token, params })
  await eventually(async () => expect(await alertStepsOf(shop, uid)).toEqual(['started']))
  await server.call(endAlert, { token: shop.token, params })
  await eventually(async () => expect(await alertStepsOf(shop, uid)).toEqual(['started', 'ended']))

  expect(await run.kill('SIGTERM')).toBe(0)
  const stored = await shop.scope.reads
    .selectFrom('plays')
    .where('deviceUid', '=', uid)
    .select('sequence')
    .orderBy('sequence')
    .execute()
  const logged = await agent.readPlays()
  expect(stored.map(({ sequence }) => sequence)).toEqual(logged.map(({ sequence }) => sequence))
})
