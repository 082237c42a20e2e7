import type { Outcome } from '@floorcast/contract/outcomes.ts'
import { vi } from 'vitest'

/**
 * Stands for `XMLHttpRequest`, by which the console sends large bodies. Each request takes the next answer: the outcome of a
 * change, or null for a server that does not answer.
 * @returns the bodies that were sent
 */
export function answerRequests(answers: (Outcome | null)[]): unknown[] {
  const sent: unknown[] = []
  class FakeRequest {
    upload = {}
    status = 0
    responseText = ''
    onload = () => {}
    onerror = () => {}
    open() {}
    setRequestHeader() {}
    abort() {}
    async send(body: Blob) {
      sent.push(JSON.parse(await body.text()))
      const outcome = answers.shift() ?? null
      if (outcome === null) return this.onerror()
      this.status = 200
      this.responseText = JSON.stringify({ data: outcome })
      this.onload()
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  return sent
}
