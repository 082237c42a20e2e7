import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listFiles, ownRoot as root } from './source-files.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

it('each component of Mantine that the console uses has its stylesheet', () => {
  const styles = read('apps/console/src/ui/theme/styles.css')
  const names = listFiles(root, ['apps/console/src/**/*.tsx']).flatMap(file =>
    [...read(file).matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(([, list = '']) =>
      list.split(',').map(name => name.trim()),
    ),
  )
  const used = [...new Set(names)].filter(name => /^[A-Z]\w+$/.test(name))
  const withSheet = used.filter(name =>
    existsSync(join(root, `node_modules/@mantine/core/styles/${name}.css`)),
  )
  expect(withSheet.length).toBeGreaterThan(20)
  expect(withSheet.filter(name => !styles.includes(`@mantine/core/styles/${name}.css'`))).toEqual([])
})
