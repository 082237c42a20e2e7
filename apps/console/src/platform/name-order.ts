/** Creating a formatter takes up to 4 ms of a page's first second, so each is created once, when it is first used. */
export function once<T>(create: () => T): () => T {
  let created: T | undefined
  return () => (created ??= create())
}

/** Scripts in the order of names, each with the language of the console that tells most of its letters apart. */
const scripts: readonly { letters: RegExp; order: () => Intl.Collator }[] = [
  { letters: /\p{Script=Han}/u, order: once(() => collate('zh-u-co-pinyin')) },
  { letters: /\p{Script=Arabic}/u, order: once(() => collate('ar')) },
  { letters: /\p{Script=Cyrillic}/u, order: once(() => collate('uk')) },
  { letters: /./su, order: once(() => collate('es')) },
]
const RUNS =
  /\p{Script=Han}+|\p{Script=Arabic}+|\p{Script=Cyrillic}+|[^\p{Script=Han}\p{Script=Arabic}\p{Script=Cyrillic}]+/gu

const collate = (tag: string) => new Intl.Collator(tag, { numeric: true, sensitivity: 'base' })
const runsOf = (name: string) => name.normalize('NFC').match(RUNS) ?? []
const scriptOf = (run: string) => scripts.findIndex(({ letters }) => letters.test(run))

/** The order of the server: docs/decisions/0272. */
export function compareNames(one: string, other: string): number {
  const [runs, others] = [runsOf(one), runsOf(other)]
  for (const [at, run] of runs.entries()) {
    const beside = others[at]
    if (beside === undefined) return 1
    const script = scriptOf(run)
    const order = scriptOf(beside) - script || (scripts[script]?.order().compare(run, beside) ?? 0)
    if (order !== 0) return order
  }
  return runs.length - others.length
}
