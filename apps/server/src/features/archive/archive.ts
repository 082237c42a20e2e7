export { archivePart, type ArchiveContext, deleteArchivedDays, findMissingFiles } from './archive-day.ts'
export { daysAround, listArchiveFiles } from './archive-queries.ts'
export {
  ArchiveWantedError,
  changePlays,
  hotPlays,
  type PlayReads,
  playsOfSession,
  type PlayWrites,
  readPlays,
} from './archived-plays.ts'
