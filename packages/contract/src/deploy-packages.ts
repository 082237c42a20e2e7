import { z } from 'zod'
import { adminEditors, adminReaders, adminStatusEditors, endpoint } from './endpoint.ts'
import { Description, Instant, ListQuery, listOf, Permissions, Reference, Uid } from './fields.ts'
import { byUid, deletesOne, turnsState } from './item-calls.ts'
import { Outcome } from './outcomes.ts'
import { ChannelState } from './update-channels.ts'
import { PackageState } from './update-packages.ts'

/** A deploy package rotates paused → active → forced → paused; forced it may replace a higher version. */
export const DeployState = z.enum(['paused', 'active', 'forced'])
export type DeployState = z.infer<typeof DeployState>

export const DeployRow = z.object({
  uid: Uid,
  /** A note of the users; may be empty. */
  description: z.string(),
  state: DeployState,
  /** What is offered. */
  package: Reference.extend({
    /** The package's. */
    version: z.string(),
    /** The package's label. */
    category: z.string(),
    state: PackageState,
  }),
  /** To whose groups it is offered. */
  channel: Reference.extend({ state: ChannelState }),
  /** True if devices see it: it is on, its package is released and its channel is open. */
  isOffered: z.boolean(),
  /** Devices of the channel's groups, and those that report this version. */
  deviceCount: z.int(),
  /** Those of these devices that report the package's version. */
  heldCount: z.int(),
  changedAt: Instant,
  /** The record's, which `edit` sends back. */
  version: z.int(),
  permissions: Permissions,
})
export type DeployRow = z.infer<typeof DeployRow>

export const listDeployPackages = endpoint({
  path: '/update/deploypackage',
  summary: 'The packages on each channel, and how many devices run them.',
  access: adminReaders,
  query: ListQuery.extend({
    state: DeployState.optional(),
    channel: Uid.optional(),
    package: Uid.optional(),
  }),
  answer: listOf(DeployRow),
})

export const addDeployPackage = endpoint({
  path: '/api/v2/update/deploypackage/add',
  summary: "Put a package on a channel, paused. 400 'already-deployed' if it is there already.",
  access: adminEditors,
  body: z.object({ packageUid: Uid, channelUid: Uid, description: Description.default('') }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
  givesUid: true,
})

export const editDeployPackage = endpoint({
  path: '/api/v2/update/deploypackage/edit',
  summary:
    "Change a paused deploy package: 400 'active-cannot-be-edited'. The description can change in any state.",
  access: adminEditors,
  body: byUid.extend({
    packageUid: Uid.optional(),
    channelUid: Uid.optional(),
    description: Description.optional(),
    /** The record's that the user saw; HTTP 409 if it is stale. */
    version: z.int().optional(),
  }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})

export const deleteDeployPackage = deletesOne({
  path: '/api/v2/update/deploypackage/delete',
  summary: 'Take a package off a channel, in any state; devices that installed it keep it.',
  access: adminEditors,
  outcomes: ['done'],
})

export const rotateDeployPackage = turnsState(DeployState, {
  path: '/update/deploypackage/{id}/staterotate',
  summary:
    "Paused → active → forced → paused: 0 on, 9 paused. HTTP 409 when `from` is stale. -2 'package-not-released' if its package is not released, 'update-key-missing', 'signature-missing', 'signature-wrong' or 'signature-mismatch' if its files are not signed for the present key.",
  access: adminStatusEditors,
  outcomes: ['activated', 'disabled', 'notConsistent', 'notAllowed'],
})
