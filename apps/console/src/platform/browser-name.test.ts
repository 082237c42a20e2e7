import { expect, it } from 'vitest'
import { readUserAgent } from './browser-name.ts'

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge',
    'Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome',
    'Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari',
    'iOS',
  ],
  ['curl/8.14.1', 'curl/8.14.1', null],
])('%s', (userAgent, program, system) => {
  expect(readUserAgent(userAgent)).toEqual({ program, system })
})

it('knows nothing of a caller that says nothing', () => {
  expect([readUserAgent(null), readUserAgent('')]).toEqual([null, null])
})
