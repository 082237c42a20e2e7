import { writeFileSync } from 'node:fs'
import { makeApiTable } from './api-table.ts'

writeFileSync(new URL('../docs/api.md', import.meta.url), await makeApiTable())
