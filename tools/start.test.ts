import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const start = (option: string) =>
  spawnSync(process.execPath, ['tools/start.ts', option], { env: {}, encoding: 'utf8' })

it('npm start refuses an option that it does not have, and says which it has', () => {
  const misspelled = start('--dmeo')
  expect(misspelled.status).toBe(2)
  expect(misspelled.stderr).toMatch(/Unknown option '--dmeo'[^]*--demo {3}fills an empty database/)
  expect(start('--help')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^npm start \[-- --demo\]\n/) as string,
  })
})
