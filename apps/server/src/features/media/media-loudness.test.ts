import { makeMedia } from '@floorcast/testing/factories.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { registerLibrary } from '../../library.ts'
import { makeLog } from '../../platform/log/log.ts'
import { FileStoreAwayError } from '../../platform/storage/file-store.ts'
import { makeLoudnessQueue } from './media.ts'

const server = await testServer({ features: [registerLibrary] })
const HOUR = 3600

/** A queue whose files are measured until the test ends them; `begun` has the names of their clients in order. */
async function openQueue(...names: string[]) {
  const clients = new Map<string, Awaited<ReturnType<typeof newShop>>['scope']>()
  for (const name of names) clients.set(name, (await newShop(server)).scope)
  const nameOf = (clientUid: string) =>
    [...clients].find(([, { clientId }]) => clientId === clientUid)?.[0] ?? ''
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const { database, log, files, now } = server.context
  const queue = makeLoudnessQueue({
    database,
    log,
    now,
    files: {
      ...files,
      withLocalPath: async ({ clientUid }) => {
        begun.push(nameOf(clientUid))
        await new Promise<void>(resolve => ends.set(nameOf(clientUid), resolve))
        throw new Error('the test has no bytes')
      },
    },
  })
  onTestFinished(async () => {
    const stopped = queue.stop()
    for (const end of ends.values()) end()
    await stopped
  })
  const scopeOf = (name: string) => {
    const scope = clients.get(name)
    if (!scope) throw new Error(`no client ${name}`)
    return scope
  }
  const add = async (name: string, durationSeconds: number) => {
    const { uid } = await makeMedia(scopeOf(name), { durationSeconds })
    queue.enqueue(scopeOf(name).clientId)
    return uid
  }
  const hasBegun = (...expected: string[]) => vi.waitFor(() => expect(begun).toEqual(expected))
  return { add, hasBegun, end: (name: string) => ends.get(name)?.() }
}

test("a short file does not wait for another client's long ones", async () => {
  const { add, hasBegun, end } = await openQueue('a', 'b')
  await add('a', 3 * HOUR)
  await add('a', 3 * HOUR)
  await hasBegun('a')
  await add('b', 3)
  await hasBegun('a', 'b')
  end('b')
  await add('b', 3)
  await hasBegun('a', 'b', 'b')
  end('a')
  await hasBegun('a', 'b', 'b', 'a')
})

test('the long files of two clients leave a place for a third', async () => {
  const { add, hasBegun, end } = await openQueue('a', 'b', 'c')
  await add('a', 3 * HOUR)
  await hasBegun('a')
  await add('b', 3 * HOUR)
  await add('c', 3)
  await hasBegun('a', 'c')
  end('a')
  await hasBegun('a', 'c', 'b')
})

test('the queue of a start finds the files of every client', async () => {
  const { scope } = await newShop(server)
  const { uid } = await makeMedia(scope, { durationSeconds: 3 })
  const queue = makeLoudnessQueue(server.context)
  queue.start()
  await vi.waitFor(async () => {
    const file = await scope.reads
      .selectFrom('mediaFiles')
      .select('loudnessState')
      .where('mediaUid', '=', uid)
      .executeTakeFirstOrThrow()
    // It has no bytes.
    expect(file.loudnessState).toBe('not-measured')
  })
  await queue.stop()
})

test('a file waits while the store is away, and is not told to be without a figure', async () => {
  const { scope } = await newShop(server)
  const { uid } = await makeMedia(scope, { durationSeconds: 3 })
  const lines: string[] = []
  const { database, files, now } = server.context
  const queue = makeLoudnessQueue({
    database,
    now,
    log: makeLog('warn', { write: text => void lines.push(text) }),
    files: { ...files, withLocalPath: () => Promise.reject(new FileStoreAwayError(new Error('no answer'))) },
  })
  onTestFinished(() => queue.stop())
  queue.enqueue(scope.clientId)
  await vi.waitFor(() => expect(lines.join('')).toContain('The store of files is away: no answer'))
  const file = scope.reads.selectFrom('mediaFiles').select('loudnessState').where('mediaUid', '=', uid)
  expect(await file.executeTakeFirstOrThrow()).toEqual({ loudnessState: 'pending' })
})
