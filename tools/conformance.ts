import { parseArgs } from 'node:util'
import { playerChecks } from './conformance/player-checks.ts'
import { prepareServer } from './conformance/programmes.ts'
import { runChecks } from './conformance/run-checks.ts'
import { serverChecks } from './conformance/server-checks.ts'
import { TestedServer } from './conformance/tested-server.ts'
import { untestedOfPlayers, untestedOfServers } from './conformance/untested-rules.ts'

/** `npm run conformance -- --server URL --key KEY` or `-- --player`: tests a server or a player against docs/device-protocol.md. */
const USAGE = `npm run conformance -- --server URL --key LICENCEKEY [--box UUID of the box that has bound the key]
npm run conformance -- --player`

const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    key: { type: 'string' },
    box: { type: 'string' },
    player: { type: 'boolean' },
  },
})

async function testPlayer(): Promise<number> {
  const server = await prepareServer()
  console.log(`Start the player with the server ${server.url} and the licence key CONFORMANCE.`)
  const failed = await runChecks(playerChecks, {
    subject: server,
    untested: untestedOfPlayers,
    print: console.log,
  })
  await server.stop()
  return failed
}

async function test(): Promise<number | null> {
  const { server, key, box, player } = values
  if (player) return testPlayer()
  if (server === undefined || key === undefined) return null
  return runChecks(serverChecks, {
    subject: { server: new TestedServer(server, key, box), found: {} },
    untested: untestedOfServers,
    print: console.log,
  })
}

const failed = await test()
if (failed === null) console.error(USAGE)
process.exit(failed === null ? 2 : Math.min(1, failed))
