import { sql } from 'kysely'
import {
  countDaysTogether,
  type DeliveryDays,
  findAllPublications,
  localPeriod,
} from '../delivery-report/delivery-report.ts'
import { notesOfRawPlays, notesOfRestores } from './plays-report-queries.ts'
import type { MakeReport } from './report.ts'

interface PublicationDay {
  publication: string
  group: string
  playlist: string
  day: string
  /** Null: what was scheduled is not known. */
  planned: number | null
  made: number
  former: number
}

/** One row for each publication and day, of the count behind the ads' pages and proofs. */
export const s1ext: MakeReport = async (reads, request) => {
  const { from, to, zone, now } = request
  const publications = await findAllPublications(reads, now)
  const period = localPeriod({ from, to, zone }, now)
  return {
    parts: async function* () {
      for await (const days of countDaysTogether(reads, { publications, period })) {
        const rows = days.flatMap(toRows)
        if (rows.length > 0) yield { rows: rowsOf(rows), isTotals: false }
      }
    },
    readsPlays: true,
    order: sql`"day", "publication", "group"`,
    notes: [
      { code: 'presentSchedule' },
      ...(await notesOfRawPlays(reads, request, 'playsGone')),
      ...(await notesOfRestores(reads, request)),
    ],
  }
}

function toRows({ publication, rows }: DeliveryDays): PublicationDay[] {
  const { name, groupName, playlistName } = publication
  const names = { publication: name, group: groupName, playlist: playlistName }
  return rows.map(({ day, schedule, delivered, former }) => ({
    ...names,
    day,
    planned: schedule?.scheduled ?? null,
    made: delivered,
    former,
  }))
}

function rowsOf(days: readonly PublicationDay[]) {
  const texts = (read: (day: PublicationDay) => string) => sql`${days.map(read)}::text[]`
  const counts = (read: (day: PublicationDay) => number | null) => sql`${days.map(read)}::int[]`
  return sql`
    select d.publication as "publication", d.group_name as "group", d.playlist as "playlist", d.day as "day",
      d.planned as "plannedPlays", d.made as "madePlays", 100.0 * d.made / nullif(d.planned, 0) as "percent",
      d.former as "formerPlays"
    from unnest(${texts(day => day.publication)}, ${texts(day => day.group)}, ${texts(day => day.playlist)},
      ${texts(day => day.day)}, ${counts(day => day.planned)}, ${counts(day => day.made)},
      ${counts(day => day.former)}) as d(publication, group_name, playlist, day, planned, made, former)`
}
