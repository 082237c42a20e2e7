const suffix = ' - copy'
const longest = 50

/** A copy's name, as the server makes it of the original's. */
export function copyName(name: string): string {
  const kept = [...name].slice(0, longest - suffix.length).join('')
  return kept.trimEnd() + suffix
}
