/** No timer of Node's runs longer; whoever waits looks at the clock again after it. */
const LONGEST = 10 * 60_000

export const sleep = (ms: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, Math.max(0, Math.min(ms, LONGEST))))

/** The first of `happenings` to settle, or 'time' after `ms` (ten minutes at most; null: no limit). */
export async function firstOf<T>(happenings: readonly Promise<T>[], ms: number | null): Promise<T | 'time'> {
  if (ms === null) return Promise.race(happenings)
  let timer: NodeJS.Timeout | undefined
  const time = new Promise<'time'>(resolve => {
    timer = setTimeout(() => resolve('time'), Math.max(0, Math.min(ms, LONGEST)))
  })
  try {
    return await Promise.race([...happenings, time])
  } finally {
    clearTimeout(timer)
  }
}
