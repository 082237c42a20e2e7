/** A person's names as the server has them; each may be empty. */
interface PersonNames {
  firstName: string
  lastName: string
}

const isHan = (text: string) => /^\p{Script=Han}+$/u.test(text)

/**
 * A person's whole name. One of Chinese characters has the family name first and no space, on pages of all languages; other names
 * keep the given name first, on Chinese pages too. Empty without names.
 */
export function namePerson({ firstName, lastName }: PersonNames): string {
  if (isHan(firstName) && isHan(lastName)) return lastName + firstName
  return [firstName, lastName].filter(Boolean).join(' ')
}

/** The fields of a name in the order of the language: Chinese forms ask for the family name first. @param tag a BCP 47 tag */
export const nameFields = (tag: string): readonly (keyof PersonNames)[] =>
  tag.startsWith('zh') ? ['lastName', 'firstName'] : ['firstName', 'lastName']
