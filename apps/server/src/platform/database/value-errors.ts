/** PostgreSQL's error classes: 22 a value that cannot be held, 23 a rule of the table broken. */
export function isValueFault(error: unknown): boolean {
  return /^2[23]/.test(codeOf(error))
}

/** Class 40: the transaction was given up for another one's sake and may simply be tried again. */
function isGivenUp(error: unknown): boolean {
  return codeOf(error).startsWith('40')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Tries a transaction again, twice at most, when PostgreSQL gave it up for another one's sake. */
export async function againWhenGivenUp<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === 3 || !isGivenUp(error)) throw error
    }
  }
}
