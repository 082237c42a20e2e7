import { afterEach, beforeAll } from 'vitest'
import { loadWords, startI18n } from '../platform/i18n.ts'
import { personalize } from '../platform/personalization.ts'
import { queryClient } from '../platform/query-client.ts'
import { dropSession } from '../platform/session.ts'
import { removeComponent } from './draw-component.tsx'

/** Errors and warnings on the browser's console: a component must cause none. */
const complaints: string[] = []

for (const kind of ['error', 'warn'] as const) {
  const print = console[kind]
  console[kind] = (...parts: unknown[]) => {
    complaints.push(`${kind}: ${parts.map(String).join(' ')}`)
    print(...parts)
  }
}

beforeAll(async () => {
  await startI18n()
  await loadWords('shell', 'media', 'wizard', 'equipment')
})

afterEach(() => {
  removeComponent()
  queryClient.clear()
  dropSession()
  localStorage.clear()
  personalize({ mode: 'light' })
  const made = complaints.splice(0)
  if (made.length > 0) throw new Error(`The component complained:\n${made.join('\n')}`)
})
