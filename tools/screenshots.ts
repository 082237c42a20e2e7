import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { locales } from '@floorcast/contract/locales.ts'

/**
 * `npm run screenshots`: every page of the console in the looks of `e2e/src/every-page.long.ts`, into artifacts/screenshots.
 * `-- --lang de,ru` or `-- --lang all`: in these languages only, and the pictures of the manual in them; `--manual` only these,
 * `--pictures alert,media` only these of them.
 */
const { values } = parseArgs({
  options: {
    lang: { type: 'string' },
    manual: { type: 'boolean', default: false },
    pictures: { type: 'string' },
  },
})
const known = locales.map(({ code }) => code as string)
const wanted = values.lang === 'all' ? known : (values.lang?.split(',') ?? [])
const unknown = wanted.filter(code => !known.includes(code))
if (unknown.length > 0 || (values.manual && wanted.length === 0)) {
  console.error(
    `Usage: npm run screenshots -- [--lang all|CODE,CODE] [--manual [--pictures NAME,NAME]]; codes: ${known.join(', ')}`,
  )
  process.exit(2)
}

const run = (command: string, args: string[], env: Record<string, string> = {}) =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status === 0

const pages = ['run', '--project', 'long', 'e2e/src/every-page.long.ts']
const arePagesTaken = values.manual || run('vitest', pages, { SCREENSHOT_LANGUAGES: wanted.join(',') })
const areManualsTaken =
  wanted.length === 0 ||
  run('node', ['e2e/src/manual-pictures.ts', ...wanted], {
    ...(values.pictures && { MANUAL_PICTURES: values.pictures }),
  })
process.exitCode = arePagesTaken && areManualsTaken ? 0 : 1
