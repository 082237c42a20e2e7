import { afterAll, describe, expect, it } from 'vitest'
import { makeLog } from '../log/log.ts'
import { makeHttpServer } from './http-server.ts'

const publicUrl = 'http://localhost:8080'
const origins = { publicUrl, streamUrl: 'http://stream.example', logsUrl: publicUrl }
const app = await makeHttpServer({ log: makeLog('silent'), trustProxy: false, origins })
app.get('/item/open', async () => ({}))
afterAll(() => app.close())

it('sends the security headers', async () => {
  const { headers } = await app.inject('/item/open')
  expect(headers['content-security-policy']).toContain("script-src 'self';")
  expect(headers['content-security-policy']).toContain('ws://stream.example')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['content-security-policy']).toContain("base-uri 'none'")
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['strict-transport-security']).toBeUndefined()
})

describe('another origin', () => {
  const ask = (method: 'GET' | 'OPTIONS', origin: string, more: Record<string, string> = {}) =>
    app.inject({ method, url: '/item/open', headers: { origin, ...more } })
  const preflight = { 'access-control-request-method': 'PATCH' }

  it('may be the console’s, where the streaming host has its own', async () => {
    const plain = await ask('GET', publicUrl)
    expect(plain.headers['access-control-allow-origin']).toBe(publicUrl)
    const answer = await ask('OPTIONS', publicUrl, preflight)
    expect(answer.statusCode).toBe(204)
    expect(answer.headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PATCH, DELETE')
  })

  it('may send and read what tus needs', async () => {
    const { headers } = await ask('OPTIONS', publicUrl, preflight)
    const allowed = String(headers['access-control-allow-headers']).split(', ')
    expect(allowed).toEqual(
      expect.arrayContaining([
        'authorization',
        'tus-resumable',
        'upload-length',
        'upload-metadata',
        'upload-offset',
      ]),
    )
    const exposed = String(headers['access-control-expose-headers']).split(', ')
    expect(exposed).toEqual(
      expect.arrayContaining([
        'location',
        'tus-resumable',
        'upload-expires',
        'upload-length',
        'upload-offset',
      ]),
    )
  })

  it('is no other', async () => {
    const evil = 'http://evil.example'
    expect((await ask('GET', evil)).headers['access-control-allow-origin']).toBeUndefined()
    const answer = await ask('OPTIONS', evil, preflight)
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})
