import { readOperatorOverview } from '@floorcast/contract/operator.ts'
import { makeMedia } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { newOperator } from '@floorcast/testing/test-operators.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openJobs } from '../../jobs/jobs.ts'
import { startMaintenance } from '../../jobs/maintenance.ts'
import { registerLibrary } from '../../library.ts'
import { registerOperators } from '../operators/operators-routes.ts'
import { makeLoudnessQueue } from './media.ts'

const server = await testServer({ hasOwnDatabase: true, features: [registerLibrary, registerOperators] })
const { scope } = await newShop(server)
const MINUTE_MS = 60_000
const wait = (ms: number) => (server.clock.now = new Date(server.clock.now.getTime() + ms))

const stateOf = async (uid: string) => {
  const file = await scope.reads
    .selectFrom('mediaFiles')
    .select(['loudnessState', 'workTries', 'workUntil'])
    .where('mediaUid', '=', uid)
    .executeTakeFirstOrThrow()
  return file
}
const reaches = (uid: string, state: object) =>
  vi.waitFor(async () => expect(await stateOf(uid)).toMatchObject(state), 10_000)

/** The queue of a server, whose files are measured until the test ends them; `begun` has them in order. */
function openServer() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const queue = makeLoudnessQueue({
    ...server.context,
    files: {
      ...server.context.files,
      withLocalPath: async ({ sha256 }) => {
        begun.push(sha256)
        await new Promise<void>(resolve => void ends.push(resolve))
        throw new Error('the test has no bytes')
      },
    },
  })
  const end = () => {
    for (const each of ends.splice(0)) each()
  }
  const stop = async () => {
    const stopped = queue.stop()
    end()
    await stopped
  }
  onTestFinished(stop)
  return { queue, begun, end, stop }
}

test('of two servers one measures a file, and the other one does not', async () => {
  const { uid } = await makeMedia(scope, { durationSeconds: 3 })
  const [one, other] = [openServer(), openServer()]
  await Promise.all([one.queue.look(), other.queue.look()])
  await vi.waitFor(() => expect([...one.begun, ...other.begun]).toHaveLength(1))
  // The queue that did not get it has looked, and leaves it alone.
  await Promise.all([one.queue.look(), other.queue.look()])
  one.end()
  other.end()
  await reaches(uid, { loudnessState: 'not-measured', workTries: 0, workUntil: null })
  expect([...one.begun, ...other.begun]).toHaveLength(1)
})

test('a server that is gone leaves its file to another one after two minutes, and a stopped one at once', async () => {
  const { uid } = await makeMedia(scope, { durationSeconds: 3 })
  const [gone, other] = [openServer(), openServer()]
  await gone.queue.look()
  await vi.waitFor(() => expect(gone.begun).toHaveLength(1))
  await reaches(uid, { workTries: 1 })
  wait(MINUTE_MS)
  await other.queue.look()
  wait(MINUTE_MS)
  await other.queue.look()
  await vi.waitFor(() => expect(other.begun).toHaveLength(1))
  await reaches(uid, { loudnessState: 'pending', workTries: 2 })
  await other.stop()
  await reaches(uid, { workTries: 1, workUntil: null })
  const third = openServer()
  await third.queue.look()
  await vi.waitFor(() => expect(third.begun).toHaveLength(1))
  third.end()
  await reaches(uid, { loudnessState: 'not-measured' })
})

test('work that fails is tried again later each time, then operators see it, and maintenance has it tried again', async () => {
  const { uid } = await makeMedia(scope, { durationSeconds: 3 })
  await asSuperuser(server.superuserUrl, superuser =>
    superuser.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger refuse before update of loudness_state on media_files for each row execute function refuse()`),
  )
  const queue = makeLoudnessQueue(server.context)
  onTestFinished(() => queue.stop())
  for (const [index, minutes] of [1, 5, 15, 60, 0].entries()) {
    const at = server.clock.now
    await queue.look()
    const workUntil = new Date(at.getTime() + minutes * MINUTE_MS).toISOString()
    await reaches(uid, { workTries: index + 1, workUntil })
    if (minutes > 0) {
      wait(minutes * MINUTE_MS - 1)
      expect(await isListed()).toBe(false)
    }
    wait(1)
  }
  const { token } = await newOperator(server)
  const failed = async () =>
    (await server.call(readOperatorOverview, { token })).queues.find(({ name }) => name === 'media-failed')
  expect(await failed()).toMatchObject({ waiting: 1 })
  expect(await isListed()).toBe(false)

  await asSuperuser(server.superuserUrl, superuser => superuser.query('drop trigger refuse on media_files'))
  const context = { ...server.context, now: () => new Date(server.clock.now) }
  onTestFinished(startMaintenance(context, openJobs(context, 'server one')))
  await reaches(uid, { workTries: 0 })
  expect(await failed()).toMatchObject({ waiting: 0 })
  await queue.look()
  await reaches(uid, { loudnessState: 'not-measured' })
})

/** The client has a file that may be begun now. */
async function isListed() {
  const asked = { kind: 'loudness' as const, at: server.clock.now, maxTries: 5 }
  return (await server.database.jobs.clientsWithMediaWork(asked)).includes(scope.clientId)
}
