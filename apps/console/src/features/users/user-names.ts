import type { UserRow } from '@floorcast/contract/users.ts'
import { namePerson } from '../../platform/person-name.ts'

/** The whole name, or the email of a user who has given none. */
export const nameUser = (user: Pick<UserRow, 'firstName' | 'lastName' | 'email'>) =>
  namePerson(user) || user.email
