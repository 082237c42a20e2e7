import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { release } from '@floorcast/contract/release.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { afterAll, expect, test } from 'vitest'
import { registerClientPackage } from './client-package-routes.ts'

const folder = mkdtempSync(join(tmpdir(), 'floorcast-client-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'client.tgz')
const server = await testServer({ features: [(http, context) => registerClientPackage(http, context, file)] })
const download = () => server.http.app.inject('/client/floorcast-client.tgz')

test('the typed client is served as a file with its version, once it is built', async () => {
  expect((await download()).json()).toMatchObject({ status: 404, code: 'not-found' })
  writeFileSync(file, 'packed')
  const { statusCode, headers, body } = await download()
  expect({ statusCode, body }).toEqual({ statusCode: 200, body: 'packed' })
  expect(headers['content-type']).toBe('application/gzip')
  expect(headers['content-disposition']).toBe(
    `attachment; filename="floorcast-client-${release.version}.tgz"`,
  )
})
