import { readAudit } from '@floorcast/contract/audit.ts'
import type { QueryOf } from '@floorcast/contract/endpoint.ts'
import { listUsers } from '@floorcast/contract/users.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import type { FoundValues } from '../../ui/data-table/list-column.ts'

type AuditQuery = QueryOf<typeof readAudit>

/** @param about the uid of an item or user, or `all` */
export const auditQuery = (about: string, query: AuditQuery) =>
  queryOptions({
    queryKey: queryKeys.audit.list(about, query),
    queryFn: ({ signal }) => call(readAudit, { params: { id: about }, query, signal }),
    placeholderData: keepPreviousData,
  })

/** Users to choose for the filter; a client has few. */
const MAX_USERS = 200

/** The users whose changes can be chosen, found by name or email. */
export const auditUsersQuery = (search: string, chosen: readonly string[]) =>
  queryOptions({
    queryKey: queryKeys.audit.users(search, chosen),
    queryFn: async ({ signal }): Promise<FoundValues> => {
      const { items, total } = await call(listUsers, { query: { search, size: MAX_USERS }, signal })
      return {
        values: items.map(({ uid, email }) => ({ value: uid, name: email, count: null })),
        more: total > items.length,
        chosen: items
          .filter(({ uid }) => chosen.includes(uid))
          .map(({ uid, email }) => ({ uid, name: email })),
      }
    },
  })

/** The newest entry of an item or user, for its name. */
export const auditedItemQuery = (uid: string) => auditQuery(uid, { size: 1 })
