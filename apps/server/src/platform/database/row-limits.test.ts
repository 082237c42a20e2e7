import { readFileSync } from 'node:fs'
import { buildPath } from '@floorcast/contract/client.ts'
import * as deploys from '@floorcast/contract/deploy-packages.ts'
import { editProfile } from '@floorcast/contract/device-profiles.ts'
import { addDevice } from '@floorcast/contract/devices.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { addGroup, copyGroup } from '@floorcast/contract/groups.ts'
import { uploadMedia } from '@floorcast/contract/media.ts'
import { addPlaylist, addTrack, clonePlaylist } from '@floorcast/contract/playlists.ts'
import { renewProofKey } from '@floorcast/contract/proof.ts'
import { addPublication } from '@floorcast/contract/publications.ts'
import { addTag, importTags } from '@floorcast/contract/tag-calls.ts'
import * as channels from '@floorcast/contract/update-channels.ts'
import { addUpdateFile } from '@floorcast/contract/update-files.ts'
import * as packages from '@floorcast/contract/update-packages.ts'
import { inviteUser } from '@floorcast/contract/users.ts'
import { makeMedia } from '@floorcast/testing/factories.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { newUpdateShop } from '@floorcast/testing/test-updates.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const server = await wholeServer()
const rows = <Row extends object>(statement: string) =>
  asSuperuser(server.superuserUrl, async superuser => (await superuser.query<Row>(statement)).rows)

/** The argument of a trigger as docs/operate/limits.md writes it. */
const wordsOf = (most: string) =>
  most
    .replace(/\d+/g, digits => Number(digits).toLocaleString('en'))
    .replace('* p.device_limit', '× devices of the plan')
    .replace('p.device_limit', 'devices of the plan')

test('each table with rows of clients has a limit or a bound in docs/operate/limits.md', async () => {
  const tables = await rows<{ name: string; most: string | null }>(`
    select c.relname as name, substring(pg_get_triggerdef(t.oid) from '''(.*)''') as most
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_id'
    left join pg_trigger t on t.tgrelid = c.oid and t.tgname = 'limit_rows'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`)
  const page = readFileSync(new URL('../../../../../docs/operate/limits.md', import.meta.url), 'utf8')
  const section = page.slice(page.indexOf('## Rows of a client'), page.indexOf('## Plans'))
  const listed = [...section.matchAll(/^\| `(\w+)` *\| *([^|]*?) *\| *([^|]*?) *\|$/gm)]
  expect(listed.map(([, name, most]) => `${name}: ${most}`).toSorted()).toEqual(
    tables.map(({ name, most }) => `${name}: ${most === null ? '' : wordsOf(most)}`).toSorted(),
  )
  expect(listed.filter(([, , most, bound]) => !most && !bound)).toEqual([])
})

test('the tracks, plans and notes of all playlists have the bytes of the plan; what is deleted gives them back', async () => {
  const shop = await newUpdateShop(server)
  const { token, scope } = shop
  const { clientId } = scope
  const counted = async () =>
    Number(
      (
        await rows<{ bytes: string }>(
          `select coalesce(sum(change), 0) as bytes from list_counts where client_id = '${clientId}' and list = 'playlist-bytes'`,
        )
      )[0]?.bytes,
    )
  const before = await counted()
  await scope.write(writes =>
    writes
      .insertInto('playlists')
      .values({
        uid: clientId,
        clientId,
        kind: 'audio',
        form: 'smart',
        name: 'A day',
        draft: JSON.stringify({ note: 'x'.repeat(10_000) }),
        windowStart: '00:00',
        windowEnd: '23:59',
        plannedPlays: 1,
        plannedSeconds: 1,
        createdAt: new Date(),
        changedAt: new Date(),
      })
      .execute(),
  )
  expect(await counted()).toBeGreaterThan(before + 10_000)
  await scope.write(writes =>
    writes
      .updateTable('playlists')
      .set({ draft: '{}', deletedAt: new Date() })
      .where('uid', '=', clientId)
      .execute(),
  )
  expect(await counted()).toBeLessThan(before + 1000)
  await scope.write(writes => writes.deleteFrom('playlists').where('uid', '=', clientId).execute())
  expect(await counted()).toBe(before)

  const playlist = await shop.emptyPlaylist()
  await rows(`insert into list_counts values ('${clientId}', 'playlist-bytes', 'playlists', 500000000)`)
  const params = { track: (await makeMedia(scope)).uid, playlist }
  expect(await server.call(addTrack, { token, params })).toEqual({
    code: 400,
    reason: 'playlist-bytes',
    limit: 500,
  })
})

test('a connection counts again after a hundredth of the room, and a client has exactly its limit', async () => {
  const { clientId } = (await server.newClient()).scope
  const added: number[] = []
  const room: number[] = []
  await asSuperuser(server.superuserUrl, async superuser => {
    const read = async (text: string) => Number((await superuser.query<{ n: string }>(text)).rows[0]?.n)
    await superuser.query(`begin; drop trigger limit_rows on groups; create trigger limit_rows after insert on groups
      referencing new table as added for each statement execute function limit_rows('300 + 0 * p.device_limit')`)
    await superuser.query(`set local role floorcast_app; set local app.client_id = '${clientId}'`)
    const add = (count: number) =>
      superuser.query(`savepoint before; insert into groups (uid, client_id, kind, name, created_at, changed_at)
        select gen_random_uuid(), '${clientId}', 'audio', 'group ' || gen_random_uuid(), now(), now() from generate_series(1, ${count})`)
    for (const count of [1, 1, 1, 1, 150, 200, ...Array<number>(200).fill(1)]) {
      try {
        await add(count)
      } catch (error) {
        expect(error).toMatchObject({ code: 'FC001', hint: '300' })
        await superuser.query('rollback to before')
      }
      added.push(await read(`select count(*) as n from groups where client_id = '${clientId}'`))
      const setting = `row_room.groups_${clientId.replaceAll('-', '')}`
      room.push(await read(`select split_part(current_setting('${setting}'), '|', 1) as n`))
    }
    await superuser.query('rollback')
  })
  expect(added.slice(0, 7)).toEqual([1, 2, 3, 4, 154, 154, 155])
  expect(room.slice(0, 7)).toEqual([2, 1, 0, 2, 1, 1, 0])
  expect(added.at(-1)).toBe(300)
})

describe('at its limit', () => {
  const shop = newUpdateShop(server)
  let items: {
    group: string
    playlist: string
    media: string
    package: string
    file: string
    channel: string
  }
  beforeAll(async () => {
    const { scope, ...of } = await shop
    const uid = await of.addPackage()
    const { uid: file = '' } = await of.upload(uid, { bytes: Buffer.from('a player') })
    items = {
      group: await of.group(),
      playlist: await of.playlist(),
      media: (await makeMedia(scope)).uid,
      package: await of.addPackage(),
      file,
      channel: await of.addChannel(),
    }
    await rows(`do $$ declare one record; begin
      for one in select tgrelid::regclass::text as name from pg_trigger where tgname = 'limit_rows' and tgrelid <> 'tags'::regclass loop
        execute format('drop trigger limit_rows on %s', one.name);
        execute format('create trigger limit_rows after insert on %s referencing new table as added
          for each statement execute function limit_rows(''0'')', one.name);
      end loop;
      drop trigger limit_rows on tags;
      create trigger limit_rows after insert on tags referencing new table as added
        for each statement execute function limit_tags('0');
    end $$`)
  })

  const audio = { params: { contentType: 'audio' } }
  const name = 'One more'
  const adds: [string, Endpoint, () => object][] = [
    ['devices', addDevice, () => ({ ...audio, body: { name } })],
    ['groups', addGroup, () => ({ ...audio, body: { name } })],
    ['groups, by a copy', copyGroup, () => ({ body: { uid: items.group, name } })],
    ['playlists', addPlaylist, () => ({ ...audio, body: { name } })],
    ['playlists, by a copy', clonePlaylist, () => ({ params: { id: items.playlist } })],
    [
      'publications',
      addPublication,
      () => ({ ...audio, body: { name, groupUid: items.group, playlistUid: items.playlist } }),
    ],
    [
      'tags',
      addTag,
      () => ({ params: { contentType: 'group', uid: items.group }, body: { key: 'city', value: 'Kyiv' } }),
    ],
    [
      'tags, by import',
      importTags,
      () => ({ body: [{ contentType: 'device', name: 'Till radio', key: 'city', value: 'Kyiv' }] }),
    ],
    ['profiles', editProfile, () => ({ body: { name, type: 'audio' } })],
    ['packages', packages.addPackage, () => ({ body: { name, category: 'Program', version: '9.0.0' } })],
    [
      'files of packages',
      addUpdateFile,
      () => ({ body: { fileUid: items.file, packageUid: items.package } }),
    ],
    ['channels', channels.addChannel, () => ({ body: { name } })],
    [
      'groups of channels',
      channels.editChannel,
      () => ({ body: { uid: items.channel, groupUids: [items.group] } }),
    ],
    [
      'deploy packages',
      deploys.addDeployPackage,
      () => ({ body: { packageUid: items.package, channelUid: items.channel } }),
    ],
    ['users', inviteUser, () => ({ body: { email: 'more@example.com', role: 'manager' } })],
    ['proof keys', renewProofKey, () => ({})],
  ]
  test.each(adds)('%s: the answer names the limit, and nothing is added', async (_, endpoint, input) => {
    const { token } = await shop
    const answer = await server.ask(endpoint, { token, ...input() })
    expect(answer.json<object>()).toEqual({ data: { code: 400, reason: 'row-limit', limit: 0 } })
  })

  test('a media file: 903 with the limit', async () => {
    const { token } = await shop
    const bytes = makeSong({ notes: [1, 2], seconds: 4 })
    const answer = await uploader(server).answer(token, 'melodies', { bytes, name: 'More.mp3' })
    expect(answer.json<object>()).toMatchObject({ data: { code: 903, reason: 'row-limit', limit: 0 } })
    expect(buildPath(uploadMedia.path, { contentType: 'melodies' })).toBe('/melodies/upload')
  })
})
