const LITERAL = /'([^'\\\n]+)'|"([^"\\\n]+)"|`((?:[^`\\]|\\.)*)`/g

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** `outcomes:${name}` stands for every key with one more step there; one that begins with a value says nothing. */
function templatePattern(template: string): RegExp | undefined {
  const [head = '', ...tail] = template.split(/\$\{[^}]*\}/)
  if (tail.length === 0 || !/[.:]/.test(head)) return undefined
  return new RegExp(`^${[head, ...tail].map(escape).join('[^.:]+')}$`)
}

/**
 * Which keys the given sources ask for. Any text equal to a key counts, because keys travel through tables and
 * properties before they reach `t()`; `common:` may be left out, as i18next's default noun.
 */
export function readKeyUses(sources: readonly string[]): (key: string) => boolean {
  const literals = new Set<string>()
  const patterns: RegExp[] = []
  for (const source of sources)
    for (const [, single, double, template] of source.matchAll(LITERAL)) {
      const pattern = template === undefined ? undefined : templatePattern(template)
      if (pattern) patterns.push(pattern)
      literals.add(single ?? double ?? template ?? '')
    }
  const isAsked = (key: string) => literals.has(key) || patterns.some(pattern => pattern.test(key))
  return key => isAsked(key) || (key.startsWith('common:') && isAsked(key.slice('common:'.length)))
}
