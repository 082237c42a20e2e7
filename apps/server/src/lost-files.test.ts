import { makeMedia } from '@floorcast/testing/factories.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { expect, it } from 'vitest'

const server = await wholeServer()

it('a server that has lost its oldest files, and has others, is ready', async () => {
  const { token, scope } = await server.newClient()
  // Rows alone. The files of a sample are taken by their hashes.
  for (let n = 0; n < 20; n += 1) await makeMedia(scope)
  await asSuperuser(server.superuserUrl, superuser =>
    superuser.query("update media_files set sha256 = 'ffff' || substr(sha256, 5)"),
  )
  await uploader(server).answer(token, 'melodies', {
    bytes: makeSong({ notes: [1, 2], seconds: 4 }),
    name: 'One.mp3',
  })
  server.clock.now = new Date()
  const answer = await server.http.app.inject('/health/ready')
  expect(answer.json()).toEqual({ status: 'ready' })
})
