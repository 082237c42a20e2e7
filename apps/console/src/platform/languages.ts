/**
 * The browser's region of a language, for dates and numbers; digits stay those of the language.
 * @param preferred BCP 47 tags, best first, as in `navigator.languages`
 */
export function chooseRegion(tag: string, preferred: readonly string[]): string {
  const regional = preferred.find(one => one.split('-')[0] === tag.split('-')[0]) ?? tag
  return `${regional}-u-nu-latn`
}
