interface Check<Subject> {
  rule: string
  /** Throws what is wrong; returns why it could not be tested. */
  test: (subject: Subject) => Promise<string | undefined | void>
}

interface Run<Subject> {
  subject: Subject
  /** Rules that have no check. */
  untested: readonly string[]
  print: (line: string) => void
}

/** Tests all rules and prints a line for each, then those that it does not test. @returns how many failed */
export async function runChecks<Subject>(
  checks: readonly Check<Subject>[],
  { subject, untested: unchecked, print }: Run<Subject>,
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
  print(`${checks.length - failed} of ${checks.length} tested rules hold`)
  for (const rule of unchecked) print(`not tested: ${rule}`)
  return failed
}
