/**
 * The browser's region of a language, for dates and numbers, by the Gregorian calendar and with 0 to 9, as they are typed.
 * @param preferred BCP 47 tags, best first, as in `navigator.languages`
 */
export function chooseRegion(tag: string, preferred: readonly string[]): string {
  const regional = preferred.find(one => one.split('-')[0] === tag.split('-')[0]) ?? tag
  return `${regional}-u-ca-gregory-nu-latn`
}
