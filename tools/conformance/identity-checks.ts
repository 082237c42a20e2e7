import { createHash, createHmac, randomBytes } from 'node:crypto'
import { must, mustBe, type ServerCheck } from './server-check.ts'

export const identityChecks: ServerCheck[] = [
  {
    rule: 'A picture of a media item is sent, or 204 without one',
    async test({ server, found: { file } }) {
      if (!file) return 'this device has no file'
      const { status, headers } = await server.call(`/api/v2/iplay/picture/${file.mediaUid}/${file.sha256}`)
      must(status === 200 || status === 204, `${status} instead of 200 or 204`)
      const type = headers.get('content-type') ?? ''
      must(status === 204 || type.startsWith('image/'), `a picture of the type ${type}`)
    },
  },
  {
    rule: 'Errors are problems in JSON, with a code',
    async test({ server }) {
      for (const path of ['/api/v2/iplay/manifest/x', `/api/v2/iplay/programme/${'0'.repeat(64)}`]) {
        const { status, headers, json } = await server.call(path)
        must(status >= 400 && status < 500, `${status} of ${path}`)
        const type = headers.get('content-type') ?? ''
        must(type.startsWith('application/problem+json'), `an error of the type ${type}`)
        must(typeof (json as { code?: unknown }).code === 'string', 'an error without a code')
      }
    },
  },
  {
    rule: 'The server proves by the license key that it is the one of the device',
    async test({ server }) {
      const nonce = randomBytes(32).toString('hex')
      const body = { playpointid: server.playPointUid, nonce, address: server.origin }
      const answer = await server.call('/api/v2/device/server', { body, token: '' })
      if (answer.status === 409) return `${server.origin} is none of the addresses in its settings`
      if ((answer.json as { code?: string }).code === 'not-found') return 'a server of a former release'
      mustBe(answer, 200)
      const key = createHash('sha256').update(server.licenseKey.toUpperCase()).digest()
      const text = `floorcast server\n${server.origin}\n${server.playPointUid}\n${nonce}\n`
      const { proof } = answer.json as { proof?: unknown }
      must(proof === createHmac('sha256', key).update(text).digest('hex'), 'a wrong proof')
    },
  },
]
