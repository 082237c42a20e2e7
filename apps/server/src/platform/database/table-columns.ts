import type { ColumnType } from 'kysely'

/** A moment: read as an ISO string with Z, written as such or as a Date. */
export type Moment = ColumnType<string, string | Date, string | Date>
export type OptionalMoment = ColumnType<string | null, string | Date | null | undefined, string | Date | null>
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>
export type Json<T> = ColumnType<T, string, string>
export type OptionalJson<T> = ColumnType<T | null, string | null | undefined, string | null>
export type Bytes = Buffer<ArrayBufferLike>

export type Kind = 'audio' | 'video'
export type EditState = 'active' | 'paused'
export type MediaType = 'videos' | 'videosAds' | 'ads' | 'melodies'
export type Connectivity = 'online' | 'linkdown' | 'linklost' | 'neverup'

/** Rows that can lie in the recycle bin. */
export interface Binned {
  deletedAt: OptionalMoment
  deletedBy: Optional<string>
}
export interface Recorded {
  createdAt: Moment
  changedAt: Moment
}
