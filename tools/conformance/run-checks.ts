interface Check<Subject> {
  rule: string
  /** Throws what is wrong; returns why it could not be tested. */
  test: (subject: Subject) => Promise<string | undefined | void>
}

/** Tests all rules and prints a line for each. @returns how many failed */
export async function runChecks<Subject>(
  checks: readonly Check<Subject>[],
  subject: Subject,
  print: (line: string) => void,
): Promise<number> {
  let failed = 0
  for (const { rule, test } of checks) {
    try {
      const untested = await test(subject)
      print(untested ? `untested  ${rule}: ${untested}` : `passed    ${rule}`)
    } catch (error) {
      failed += 1
      print(`FAILED    ${rule}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  print(`${checks.length - failed} of ${checks.length} rules hold`)
  return failed
}
