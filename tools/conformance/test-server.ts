import { serverChecks } from './server-checks.ts'
import { TestedServer } from './tested-server.ts'

interface ServerUnderTest {
  origin: string
  /** Of a device that has no player, or that `boxId` has bound. */
  licenseKey: string
  boxId?: string | undefined
  print: (line: string) => void
}

/** Tests all rules and prints a line for each. @returns how many failed */
export async function testServer({ origin, licenseKey, boxId, print }: ServerUnderTest): Promise<number> {
  const server = new TestedServer(origin, licenseKey, boxId)
  const found = {}
  let failed = 0
  for (const { rule, test } of serverChecks) {
    try {
      const untested = await test(server, found)
      print(untested ? `untested  ${rule}: ${untested}` : `passed    ${rule}`)
    } catch (error) {
      failed += 1
      print(`FAILED    ${rule}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  print(`${serverChecks.length - failed} of ${serverChecks.length} rules hold`)
  return failed
}
