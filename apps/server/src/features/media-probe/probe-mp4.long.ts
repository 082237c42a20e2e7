import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { expect, test } from 'vitest'
import { probeFile } from './probe-file.ts'

const probeMp4 = async (path: string) =>
  probeFile('mp4', { path, sizeBytes: (await stat(path)).size, clientId: 'one' })

const BOXES = ['stts', 'stsz', 'stco', 'stsc', 'stss', 'ctts', 'trun', 'elst']

/** Some of these keep the reader busy until its time is up; without its limits one of them took 1.5 GB and the process. */
test('no wrong count in any table of an MP4 outlasts the probe, and the next file is probed as before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'floorcast-mp4-'))
  const path = join(folder, 'lying.mp4')
  for (const fixture of [mp4Fixtures.silent, mp4Fixtures.fragmented]) {
    const whole = await readFile(fixture.path)
    const boxes = BOXES.map(box => whole.indexOf(box)).filter(at => at > 0)
    for (const at of boxes)
      for (const offset of [8, 12, 16]) {
        const bytes = Buffer.from(whole)
        bytes.writeUInt32BE(0xffffffff, at + offset)
        await writeFile(path, bytes)
        expect(await probeMp4(path)).toHaveProperty('accepted')
      }
    expect(await probeMp4(fixture.path)).toMatchObject({ accepted: true })
  }
  await rm(folder, { recursive: true })
})
