import type { UserRow } from '@floorcast/contract/users.ts'

/** First and last name, or the email of a user who has given none. */
export const nameUser = ({ firstName, lastName, email }: Pick<UserRow, 'firstName' | 'lastName' | 'email'>) =>
  [firstName, lastName].filter(Boolean).join(' ') || email
