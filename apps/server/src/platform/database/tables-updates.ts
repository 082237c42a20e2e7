import type { Generated } from 'kysely'
import type { Moment, Optional, Recorded } from './table-columns.ts'

export interface UpdateFilesTable extends Recorded {
  uid: string
  clientId: string
  name: string
  description: Generated<string>
  originalName: string
  sha256: string
  sizeBytes: number
  signature: Optional<string>
  uploadedBy: Optional<string>
  version: Generated<number>
}

export interface UpdatePackagesTable extends Recorded {
  uid: string
  clientId: string
  name: string
  description: Generated<string>
  category: string
  version: string
  state: Generated<'draft' | 'testing' | 'released'>
  recordVersion: Generated<number>
}

export interface UpdatePackageFilesTable {
  uid: string
  clientId: string
  packageUid: string
  fileUid: string
  addedAt: Moment
}

export interface UpdateChannelsTable extends Recorded {
  uid: string
  clientId: string
  name: string
  description: Generated<string>
  state: Generated<'open' | 'frozen'>
  version: Generated<number>
}

export interface UpdateChannelGroupsTable {
  channelUid: string
  groupUid: string
  clientId: string
}

export interface DeployPackagesTable extends Recorded {
  uid: string
  clientId: string
  packageUid: string
  channelUid: string
  description: Generated<string>
  state: Generated<'paused' | 'active' | 'forced'>
  version: Generated<number>
}

export interface DeviceUpdateStatesTable {
  deviceUid: string
  clientId: string
  packageUid: Optional<string>
  version: string
  step: string
  message: Optional<string>
  at: Moment
  receivedAt: Moment
}
