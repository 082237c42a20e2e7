import { randomUUID } from 'node:crypto'
import { checkFileStore, checkPieceStore, openStoreParts } from '@floorcast/testing/file-store-cases.ts'
import { makeBucket, startSwift } from '@floorcast/testing/s3-stores.ts'
import { describe, expect, it } from 'vitest'
import { requireOwnBucket } from './s3-checks.ts'
import { openS3FileStore } from './s3-file-store.ts'
import { openSignedAddresses } from './signed-addresses.ts'

const swift = await startSwift()
const settings = { ...swift, bucket: await makeBucket(swift, 'files') }

describe('a store by the s3api of Swift', () => {
  const open = () =>
    openStoreParts(async ({ incoming }) =>
      openS3FileStore(settings, incoming, { requireOwn: async () => {}, signed: null }),
    )
  checkFileStore(open)
  checkPieceStore(open)

  it('sends a file by a signed address, with its headers and ranges, and nothing by one that is changed, ended or unsigned', async () => {
    const redirectTo = { endpoint: swift.endpoint }
    const signed = await openSignedAddresses({ ...settings, redirectTo })
    const { store, incoming } = await open()
    const bytes = Buffer.from('0123456789'.repeat(1000))
    const received = await incoming.receive(
      (async function* () {
        yield Buffer.from(bytes)
      })(),
      () => undefined,
    )
    const key = { clientUid: randomUUID(), sha256: received.sha256 }
    await store.put(key.clientUid, received)
    const answer = { mimeType: 'audio/mpeg', disposition: 'inline; filename="Song.mp3"' }
    const address = (await signed?.addressOf(key, answer)) ?? ''
    const whole = await fetch(address)
    const { status, headers } = whole
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      answer.mimeType,
      answer.disposition,
    ])
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
    const part = await fetch(address, { headers: { range: 'bytes=9995-' } })
    expect([part.status, await part.text()]).toEqual([206, '56789'])
    const changed = (change: (url: URL) => void) => {
      const url = new URL(address)
      change(url)
      return fetch(url).then(({ status }) => status)
    }
    expect(
      await Promise.all([
        changed(url => (url.pathname = `/${settings.bucket}/floorcast-installation.json`)),
        changed(url => url.searchParams.set('response-content-type', 'text/html')),
        changed(url => url.searchParams.set('X-Amz-Expires', '60000')),
        changed(url => url.searchParams.set('X-Amz-Date', '20261101T000000Z')),
      ]),
    ).toEqual([403, 403, 403, 403])
    expect(await changed(url => (url.search = ''))).toBeGreaterThanOrEqual(400)
  })

  it('has the bucket of one installation', async () => {
    await requireOwnBucket(settings, 'one')
    await requireOwnBucket(settings, 'one')
    await expect(requireOwnBucket(settings, 'two')).rejects.toThrow(
      'another installation (one; this one is two)',
    )
  })

  it.each([
    [{ key: { id: 'shop:nobody', secret: 'testing' } }, /S3_(ACCESS_KEY_ID|SECRET_ACCESS_KEY)/],
    [{ key: { id: swift.key.id, secret: 'hush' } }, /S3_SECRET_ACCESS_KEY is not the secret/],
    [{ bucket: 'another' }, /S3_BUCKET another: the store has no such bucket/],
    [{ region: 'elsewhere-1' }, /S3_REGION elsewhere-1 is not that of the bucket/],
  ])('names the setting that it refuses: %j', async (wrong, words) => {
    await expect(requireOwnBucket({ ...settings, ...wrong }, 'one')).rejects.toThrow(words)
  })
})
