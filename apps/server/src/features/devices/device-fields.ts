export interface NewDevice {
  uid: string
  clientId: string
  kind: 'audio' | 'video'
  name: string
  description: string
  licenseKey: string
  at: Date
}

/** What the rules need to know of a device. */
export interface DeviceFields {
  uid: string
  kind: 'audio' | 'video'
  name: string
  description: string
  groupUid: string | null
  licenseBoundAt: string | null
  /** A day earlier than the subscription's end, if an admin set one. */
  expiresAt: string | null
  version: number
}
