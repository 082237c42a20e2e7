import { z } from 'zod'
import { adminEditors, adminReaders, adminStatusEditors, endpoint, FormFile } from './endpoint.ts'
import {
  Bytes,
  Description,
  Instant,
  ListQuery,
  listOf,
  Name,
  Permissions,
  Reference,
  Uid,
} from './fields.ts'
import { byId, deletesOne, turnsState } from './item-calls.ts'
import { Outcome } from './outcomes.ts'
import { UpdateSignature } from './update-signing.ts'
import { UpdateFile } from './update-files.ts'
import { UpdateVersion } from './update-versions.ts'

/** A package rotates draft → testing → released → draft. Only a draft can be changed; devices see released ones. */
export const PackageState = z.enum(['draft', 'testing', 'released'])
export type PackageState = z.infer<typeof PackageState>

export const PackageFile = UpdateFile.extend({
  /** The link of this file to this package; `excludefile` takes it. */
  linkUid: Uid,
  addedAt: Instant,
})
export type PackageFile = z.infer<typeof PackageFile>

export const PackageRow = z.object({
  uid: Uid,
  /** As the lists show it. */
  name: z.string(),
  /** A note of the users; may be empty. */
  description: z.string(),
  /** A label to search for. Machines that it names, such as linux-arm64, are the only ones that install the package. */
  category: z.string(),
  /** What devices compare with their own. */
  version: z.string(),
  state: PackageState,
  /** How many files it has. */
  fileCount: z.int(),
  sizeBytes: Bytes,
  /** The channels with this package. */
  channels: z.array(Reference),
  changedAt: Instant,
  /** The record's version for `edit`; `version` is the package's. */
  recordVersion: z.int(),
  permissions: Permissions,
})
export type PackageRow = z.infer<typeof PackageRow>

export const PackageCard = PackageRow.extend({
  createdAt: Instant,
  /** All of the package. */
  files: z.array(PackageFile),
})
export type PackageCard = z.infer<typeof PackageCard>

export const PackageFilter = ListQuery.extend({
  state: PackageState.optional(),
  /** The whole category. */
  category: z.string().max(200).optional(),
})

export const PackageDraft = z.object({
  name: Name,
  description: Description.default(''),
  category: Name,
  /** One to four numbers with dots, and a word for what comes before the release: `2.776.0-rc.1`. */
  version: UpdateVersion,
})

export const uploadUpdateFile = endpoint({
  path: '/update/upload/{uid}',
  summary:
    "Upload a file into a draft package (its uid). Parts in any order: `file`, `signature` (the content of FILE.sig) and `description`. Checked in this order, what another try cannot mend first: 400 'not-a-draft'; 902 the package has a file of this name, before the bytes come; 903 not enough storage and 901 empty while they come; with the client's public key set, 400 'signature-missing', 'signature-wrong' or 'signature-mismatch'.",
  access: adminEditors,
  params: z.object({ uid: Uid }),
  bodyForm: 'multipart',
  form: z.object({
    description: Description.optional(),
    /** The line of FILE.sig, as `npm run sign-update` writes it; empty or absent: none. */
    signature: UpdateSignature.or(z.literal('')).optional(),
    /** Any file that is not empty. */
    file: FormFile,
  }),
  answer: Outcome.extend({ linkUid: Uid.optional() }),
  outcomes: ['done', 'notDone', 'wrongFileType', 'nameExists', 'storageFull'],
  givesUid: true,
})

export const listPackages = endpoint({
  path: '/update/package',
  summary: "The client's update packages.",
  access: adminReaders,
  query: PackageFilter,
  answer: listOf(PackageRow),
})

export const readPackage = endpoint({
  path: '/update/package/{id}',
  summary: 'One package with its files.',
  access: adminReaders,
  params: byId,
  answer: PackageCard,
})

export const listPackageFiles = endpoint({
  path: '/update/package/{id}/files',
  summary: "A package's files.",
  access: adminReaders,
  params: byId,
  query: ListQuery,
  answer: listOf(PackageFile),
})

export const addPackage = endpoint({
  path: '/api/v2/update/package/add',
  summary: 'Create a package, a draft without files.',
  access: adminEditors,
  body: PackageDraft,
  answer: Outcome,
  outcomes: ['done', 'notDone'],
  givesUid: true,
})

export const editPackage = endpoint({
  path: '/api/v2/update/package/edit',
  summary: "Change a draft. HTTP 409 for a stale `recordVersion`. 400 'not-a-draft'.",
  access: adminEditors,
  body: z.object({
    uid: Uid,
    name: Name.optional(),
    description: Description.optional(),
    category: Name.optional(),
    /** The package's, as in a draft. */
    version: UpdateVersion.optional(),
    /** The record's that the user saw; HTTP 409 if it is stale. */
    recordVersion: z.int().optional(),
  }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const deletePackage = deletesOne({
  path: '/api/v2/update/package/delete',
  summary: 'Delete a package permanently; its files stay. 409 with the names of its channels.',
  access: adminEditors,
  outcomes: ['done', 'inUse'],
})

export const rotatePackage = turnsState(PackageState, {
  path: '/update/package/{id}/staterotate',
  summary:
    "Draft → testing → released → draft: 0 if devices can see it now, otherwise 9. HTTP 409 when `from` is stale. -2 'package-empty', 'update-key-missing' without a public key, 'signature-missing', 'signature-wrong' or 'signature-mismatch' (signed as another version) with the files' names.",
  access: adminStatusEditors,
  outcomes: ['activated', 'disabled', 'notConsistent', 'notAllowed'],
})

export const excludeFile = endpoint({
  path: '/update/package/{uid}/excludefile/{fileuid}/link/{linkid}',
  summary: "Remove a file from a draft package; the file stays. 400 'not-a-draft'.",
  access: adminEditors,
  worksOnFullDisk: true,
  params: z.object({ uid: Uid, fileuid: Uid, linkid: Uid }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})
