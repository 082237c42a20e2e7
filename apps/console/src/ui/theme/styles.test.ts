import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const folderOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

it('each component of Mantine in use has its stylesheet', () => {
  const styles = fileURLToPath(new URL('.', import.meta.resolve('@mantine/core/styles/Button.css')))
  const own = readFileSync(folderOf('styles.css'), 'utf8')
  const used = globSync('**/*.tsx', { cwd: folderOf('../..') }).flatMap(file =>
    [...readFileSync(folderOf(`../../${file}`), 'utf8').matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)]
      .flatMap(([, names = '']) => names.split(','))
      .map(name => name.trim()),
  )
  const sheets = globSync('*.css', { cwd: styles }).map(name => name.replace(/\.css$/, ''))
  const missing = sheets.filter(
    name => used.includes(name) && !own.includes(`@mantine/core/styles/${name}.css`),
  )
  expect(used.length).toBeGreaterThan(100)
  expect(missing).toEqual([])
})
