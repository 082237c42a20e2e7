import { z } from 'zod'
import { editors, endpoint, readers } from './endpoint.ts'
import { Name, Uid } from './fields.ts'
import { deletesOne } from './item-calls.ts'
import { Outcome } from './outcomes.ts'

/** The lists of the console that keep views, by its names for them. */
export const ViewedList = z.enum([
  'devices',
  'groups',
  'playlists',
  'publications',
  'melodies',
  'ads',
  'videos',
  'videosAds',
  'log-playtrack',
  'log-playlist',
  'log-heartbeat',
  'log-debug',
  'log-update',
  'audit',
])
export type ViewedList = z.infer<typeof ViewedList>

/** Maximum views of a user, and of those that a client's users share, over all lists. */
export const MAX_VIEWS = 50

const NO_CONTROLS = /^[^\p{Cc}\p{Cs}]*$/u
/** A name of a column or filter. A release may know others than the one that has saved the view. */
const Word = z.string().regex(/^[\w.-]{1,40}$/, 'wrong')

/** What a view shows. */
export const ViewContent = z.object({
  /** What is searched for; empty: nothing. */
  search: z.string().max(200, 'too-long').regex(NO_CONTROLS, 'special-characters'),
  /** The column of the order; null: the list's own order. */
  sort: Word.nullable(),
  /** The direction of the order. */
  dir: z.enum(['asc', 'desc']),
  /** The values of the filters by their names, as in the address of the list. */
  filters: z
    .record(Word, z.string().min(1, 'empty').max(4000, 'too-long').regex(NO_CONTROLS, 'special-characters'))
    .refine(filters => Object.keys(filters).length <= 20, 'too-many'),
  /** The columns that it shows. */
  columns: z.array(Word).max(60, 'too-many'),
})
const content = ViewContent.shape

export const SavedView = z.object({
  uid: Uid,
  /** Several views may have the same. */
  name: z.string(),
  /** True: every user of the client sees it, and those with full rights change it. False: it is the user's own. */
  isShared: z.boolean(),
  /** What is searched for; empty: nothing. */
  search: z.string(),
  /** The column of the order; null: the list's own order. */
  sort: z.string().nullable(),
  /** The direction of the order. */
  dir: z.enum(['asc', 'desc']),
  /** The values of the filters by their names. */
  filters: z.record(z.string(), z.string()),
  /** The columns that it shows, by their names. */
  columns: z.array(z.string()),
  /** The record's, which `edit` sends back. */
  version: z.int(),
})
export type SavedView = z.infer<typeof SavedView>

export const SavedViewDraft = z.object({
  list: ViewedList,
  name: Name,
  /** True: for every user of the client. */
  isShared: z.boolean().default(false),
  search: content.search.default(''),
  sort: content.sort.default(null),
  dir: content.dir.default('asc'),
  filters: content.filters.default({}),
  columns: content.columns.default([]),
})
export type SavedViewDraft = z.input<typeof SavedViewDraft>

const SavedViewChange = z.object({
  uid: Uid,
  /** The record's that the user saw; HTTP 409 if it is stale. */
  version: z.int().optional(),
  name: Name.optional(),
  search: content.search.optional(),
  sort: content.sort.optional(),
  dir: content.dir.optional(),
  filters: content.filters.optional(),
  columns: content.columns.optional(),
})

export const listSavedViews = endpoint({
  path: '/api/v2/views/{list}',
  summary: "The views of a list that are the user's own or shared, by name.",
  access: readers,
  params: z.object({ list: ViewedList }),
  answer: z.array(SavedView),
})

const SHARED = 'A shared one needs full rights (HTTP 403).'

export const addSavedView = endpoint({
  path: '/api/v2/views/add',
  summary: `Save a view of a list: its name, search, order, filters and columns. ${SHARED} 400 'too-many-views' above 50 of the user, or 50 that are shared.`,
  access: readers,
  body: SavedViewDraft,
  answer: Outcome,
  outcomes: ['done', 'notDone'],
  givesUid: true,
})

export const editSavedView = endpoint({
  path: '/api/v2/views/edit',
  summary: `Rename a view, or change what it shows. ${SHARED}`,
  access: readers,
  body: SavedViewChange,
  answer: Outcome,
  outcomes: ['done'],
})

export const shareSavedView = endpoint({
  path: '/api/v2/views/share',
  summary:
    "Share an own view with the client's other users, or make a shared one the own view of the caller. 400 'too-many-views' above 50.",
  access: editors,
  body: z.object({
    uid: Uid,
    /** False: it becomes the caller's own. */
    isShared: z.boolean(),
  }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const deleteSavedView = deletesOne({
  path: '/api/v2/views/delete',
  summary: `Delete a view. ${SHARED}`,
  access: readers,
  outcomes: ['done'],
})
