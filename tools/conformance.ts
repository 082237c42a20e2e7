import { parseArgs } from 'node:util'
import { testServer } from './conformance/test-server.ts'

/** `npm run conformance -- --server URL --key KEY`: tests a server against docs/device-protocol.md. */
const { values } = parseArgs({
  options: { server: { type: 'string' }, key: { type: 'string' }, box: { type: 'string' } },
})
const { server, key, box } = values
if (server === undefined || key === undefined) {
  console.error(
    'npm run conformance -- --server URL --key LICENCEKEY [--box UUID of the box that has bound the key]',
  )
  process.exit(2)
}
const failed = await testServer({ origin: server, licenseKey: key, boxId: box, print: console.log })
process.exit(failed === 0 ? 0 : 1)
