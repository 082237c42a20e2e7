import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { BASELINE_THROUGH } from '@floorcast/server/platform/database/migrations.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { emptyDatabase } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'
import { ownRoot } from '../../tools/source-files.ts'
import {
  errorsOf,
  failedCalls,
  longestPause,
  openBalancedServers,
  openChain,
  startProber,
  untilPlayed,
} from './balanced-servers.ts'
import { newEmail, owner, publishToDevice, registerOwner } from './client-fixture.ts'

const git = (...args: string[]) => execFileSync('git', args, { cwd: ownRoot, encoding: 'utf8' }).trim()

/** The newest release; in a copy without its tag, the last commit before a migration that the baseline does not have. */
function formerCommit(): string {
  const [tag = ''] = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n')
  if (tag !== '') return tag
  const folder = 'apps/server/database/migrations'
  const next = readdirSync(join(ownRoot, folder))
    .toSorted()
    .find(name => name > `${BASELINE_THROUGH}.sql`)
  if (next === undefined) return 'HEAD'
  return `${git('log', '--diff-filter=A', '--format=%H', '-1', '--', `${folder}/${next}`)}^`
}

/** The sources of the former release with the packages of this one, apart from the project's own. @returns its server's program */
function unpackFormer(): string {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-former-'))
  atTheEnd(() => rm(folder, { recursive: true, force: true }))
  const archive = join(folder, 'sources.tar')
  execFileSync('git', ['archive', '--output', archive, formerCommit()], { cwd: ownRoot })
  execFileSync('tar', ['--extract', '--file', archive, '--directory', folder])
  const [packages, ofFormer] = [join(ownRoot, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(ofFormer, '@floorcast'), { recursive: true })
  for (const name of readdirSync(packages))
    if (name !== '@floorcast') symlinkSync(join(packages, name), join(ofFormer, name))
  for (const workspaces of ['packages', 'apps'])
    for (const name of readdirSync(join(folder, workspaces)))
      symlinkSync(join(folder, workspaces, name), join(ofFormer, '@floorcast', name))
  return join(folder, 'apps/server/src/main.ts')
}

const DEVICES = 40

test('the former release serves beside this one, which migrates its database under load: no call of either fails', async () => {
  const urls = await emptyDatabase()
  const servers = await openBalancedServers(urls.url)
  const former = await servers.start(0, unpackFormer())
  const chain = await openChain(servers, urls)
  const first = await chain.startFleet(DEVICES)
  const stopProber = startProber(chain.client, DEVICES)

  const current = await servers.start(1)
  expect(current.said.join('\n')).toContain('"msg":"database brought to this version"')
  expect(await stopProber()).toMatchObject({ failures: [] })

  // The balancer gives devices and users of both to both.
  const second = await chain.startFleet(DEVICES)
  const stopLast = startProber(chain.client, 2 * DEVICES)
  const songs = await writeSongs(servers.folder, { count: 2, seconds: 3 })
  for (let clients = 0; clients < 6; clients += 1)
    await publishToDevice(await registerOwner(servers.origin, { ...owner, email: newEmail('shop') }), songs)
  for (const fleet of [first, second]) await untilPlayed(fleet, 3 * DEVICES)
  expect(Math.round(await longestPause(urls))).toBe(0)
  const { call } = chain.client
  const fleets = [first, second]
  const params = { uid: 'all', alerttype: 'air' } as const
  for (let alerts = 1; alerts <= 4; alerts += 1) {
    await call(beginAlert, { params, query: {} })
    await eventually(() => {
      for (const { metrics } of fleets) expect(metrics.alerts.count).toBe(alerts * DEVICES)
    })
    await call(endAlert, { params, query: {} })
  }
  const { sent, failures } = await stopLast()
  expect(failures).toEqual([])
  expect(sent).toBeGreaterThan(100)
  for (const fleet of fleets) {
    await fleet.stop()
    expect(failedCalls(fleet)).toEqual([])
    expect(fleet.metrics).toMatchObject({ dropped: 0, events: { duplicates: 0, refused: 0, lost: 0 } })
  }
  expect([former, current].flatMap(errorsOf)).toEqual([])
})
