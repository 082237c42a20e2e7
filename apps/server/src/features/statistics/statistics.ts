export { countUncounted, rebuildStatistics, STATISTICS_LOCK } from './statistics-rebuild.ts'
export { findKeptFrom, listUncountedDays } from './statistics-rebuild-queries.ts'
export { retainStatistics } from './statistics-retention.ts'
export { readStatisticsUse } from './statistics-use.ts'
