import type { GeneratedAlways } from 'kysely'
import type { Generated, Json, JsonColumns, Timestamp } from './column-types.ts'

/*
 * The tables after every migration, written by `npm run schema`. Instants come out as ISO 8601 strings with Z, days as
 * YYYY-MM-DD, times of day as HH:MM, wall times as YYYY-MM-DDTHH:MM:SS. database/migrations say what a column means.
 */

export interface Tables {
  alertReceipts: {
    alertUid: string
    deviceUid: string
    clientId: string
    receivedAt: Timestamp | null
    startedAt: Timestamp | null
    endedAt: Timestamp | null
  }
  alerts: {
    uid: string
    clientId: string
    kind: 'air' | 'chemical' | 'nuclear'
    deviceUid: string | null
    groupUid: string | null
    isDrill: Generated<boolean>
    beganAt: Timestamp
    beganBy: string | null
    endedAt: Timestamp | null
    endedBy: string | null
  }
  auditEntries: {
    uid: string
    clientId: string
    at: Timestamp
    userUid: string | null
    userName: string
    action: string
    thing: string
    thingUid: string | null
    thingName: string | null
    changes: Generated<Json<JsonColumns['audit_entries.changes']>>
    requestId: string | null
  }
  clients: {
    uid: string
    clientId: GeneratedAlways<string>
    name: string
    planKey: string
    subscriptionExpiresAt: Timestamp
    tagPolicy: Generated<'device' | 'group' | 'client'>
    createdAt: Timestamp
    changedAt: Timestamp
    updatePublicKey: string | null
  }
  deployPackages: {
    uid: string
    clientId: string
    packageUid: string
    channelUid: string
    description: Generated<string>
    state: Generated<'paused' | 'active' | 'forced'>
    createdAt: Timestamp
    changedAt: Timestamp
    version: Generated<number>
  }
  deviceBoots: {
    deviceUid: string
    bootUid: string
    clientId: string
    received: Generated<string>
    firstSeenAt: Timestamp
    lastSeenAt: Timestamp
  }
  deviceLogs: {
    day: string
    deviceUid: string
    bootUid: string
    sequence: number
    clientId: string
    eventUid: string
    kind: 'playlist' | 'debug' | 'update' | 'alert'
    at: Timestamp
    receivedAt: Timestamp
    isClockDoubted: Generated<boolean>
    deviceName: string
    details: Json<JsonColumns['device_logs.details']>
  }
  deviceManifests: {
    deviceUid: string
    clientId: string
    generation: Generated<number>
    etag: Generated<string>
    body: Generated<string>
    madeAt: Generated<Timestamp>
    isStale: Generated<boolean>
    unsettledBelow: Generated<number | null>
  }
  deviceOutbox: {
    uid: string
    clientId: string
    deviceUid: string
    position: GeneratedAlways<number>
    type: 'manifest' | 'alert' | 'command'
    body: Json<JsonColumns['device_outbox.body']>
    createdAt: Timestamp
    acknowledgedAt: Timestamp | null
  }
  deviceStates: {
    deviceUid: string
    clientId: string
    lastContactAt: Timestamp | null
    deviceClockAt: Timestamp | null
    bootUid: string | null
    programVersion: string | null
    temperatureCelsius: number | null
    memorySizeBytes: number | null
    freeMemoryBytes: number | null
    ipAddress: string | null
    macAddress: string | null
    volume: number | null
    nowPlaying: Json<JsonColumns['device_states.now_playing']> | null
    lastPlayedName: string | null
    lastPlayedAt: Timestamp | null
    manifestEtag: string | null
    quarantined: Generated<Json<JsonColumns['device_states.quarantined']>>
    reporterUid: string | null
  }
  deviceTransitions: {
    deviceUid: string
    at: Timestamp
    clientId: string
    state: 'online' | 'linkdown' | 'linklost' | 'neverup'
  }
  deviceUpdateStates: {
    deviceUid: string
    clientId: string
    packageUid: string | null
    version: string
    step: string
    message: string | null
    at: Timestamp
    receivedAt: Timestamp
  }
  devices: {
    uid: string
    clientId: string
    kind: 'audio' | 'video'
    name: string
    description: Generated<string>
    groupUid: string | null
    licenseKey: string
    licenseBoundAt: Timestamp | null
    boxUid: string | null
    tokenHash: Buffer | null
    model: string | null
    expiresAt: Timestamp | null
    createdAt: Timestamp
    changedAt: Timestamp
    version: Generated<number>
    deletedAt: Timestamp | null
    deletedBy: string | null
    tagPolicy: 'device' | 'group' | 'client' | null
    sortName: GeneratedAlways<string>
    searchText: GeneratedAlways<string>
  }
  groups: {
    uid: string
    clientId: string
    kind: 'audio' | 'video'
    name: string
    description: Generated<string>
    state: Generated<'active' | 'paused'>
    createdAt: Timestamp
    changedAt: Timestamp
    version: Generated<number>
    deletedAt: Timestamp | null
    deletedBy: string | null
    formerMembers: Generated<string[]>
  }
  heartbeats: {
    day: string
    deviceUid: string
    receivedAt: Timestamp
    clientId: string
    uid: string
    bootUid: string
    deviceClockAt: Timestamp
    programVersion: string
    temperatureCelsius: number | null
    memorySizeBytes: number | null
    freeMemoryBytes: number | null
    ipAddress: string | null
    macAddress: string | null
    volume: number
    nowPlayingName: string | null
  }
  historyCounts: {
    clientId: string
    kind: 'plays' | 'device_logs' | 'heartbeats'
    day: string
    rowCount: number
  }
  listCounts: {
    clientId: string
    list: 'devices' | 'media' | 'playlists'
    kind: string
    change: number
  }
  mediaFiles: {
    mediaUid: string
    fileVersion: number
    clientId: string
    sha256: string
    mimeType: string
    sizeBytes: number
    durationSeconds: number
    bitRate: number | null
    sampleRate: number | null
    channels: number | null
    width: number | null
    height: number | null
    isGapless: Generated<boolean>
    loudnessState: Generated<'pending' | 'measured' | 'not-measured'>
    integratedLufs: number | null
    truePeakDbtp: number | null
    uploadedAt: Timestamp
    uploadedBy: string | null
  }
  mediaItems: {
    uid: string
    clientId: string
    contentType: 'videos' | 'videosAds' | 'ads' | 'melodies'
    name: string
    description: Generated<string>
    originalName: string
    fileVersion: Generated<number>
    previewSha256: string | null
    previewMimeType: string | null
    previewSizeBytes: Generated<number>
    createdAt: Timestamp
    changedAt: Timestamp
    version: Generated<number>
    deletedAt: Timestamp | null
    deletedBy: string | null
    sortName: GeneratedAlways<string>
    searchText: GeneratedAlways<string>
    uploadedAt: GeneratedAlways<string | null>
    sizeBytes: GeneratedAlways<number | null>
    durationSeconds: GeneratedAlways<number | null>
  }
  migrations: {
    name: string
    hash: string
    appliedAt: Generated<Timestamp>
  }
  personalizations: {
    userUid: string
    clientId: string
    color: string
    mode: string
    menuType: string
    changedAt: Timestamp
  }
  plans: {
    key: string
    position: number
    mediaGigabytes: number
    statisticsGigabytes: number
    deviceLimit: number
    priceUsdPerMonth: number
    hasSupport: boolean
    hasExtendedSupport: boolean
  }
  playlistBlocks: {
    clientId: string
    playlistUid: string
    position: number
    kind: 'melody' | 'ad'
    startSeconds: number
    durationSeconds: number
    tracks: number[]
    starts: number[]
  }
  playlistItems: {
    uid: string
    clientId: string
    playlistUid: string
    mediaUid: string
    pinnedFileVersion: number | null
    position: number
    repeatCount: number | null
    replaySeconds: number | null
    startTime: string | null
    weight: number | null
    plannedPlays: number | null
    plannedSeconds: number | null
  }
  playlists: {
    uid: string
    clientId: string
    kind: 'audio' | 'video'
    form: Generated<'simple' | 'smart'>
    name: string
    description: Generated<string>
    state: Generated<'active' | 'paused'>
    crossfadeSeconds: Generated<number>
    startDate: string | null
    endDate: string | null
    draft: Json<JsonColumns['playlists.draft']> | null
    createdAt: Timestamp
    changedAt: Timestamp
    version: Generated<number>
    deletedAt: Timestamp | null
    deletedBy: string | null
    sortName: GeneratedAlways<string>
    searchText: GeneratedAlways<string>
    windowStart: string | null
    windowEnd: string | null
    plannedPlays: number | null
    plannedSeconds: number | null
    editOfUid: string | null
  }
  plays: {
    day: string
    deviceUid: string
    bootUid: string
    sequence: number
    clientId: string
    eventUid: string
    receivedAt: Timestamp
    isClockDoubted: Generated<boolean>
    deviceName: string
    groupUid: string | null
    groupName: string | null
    publicationUid: string | null
    playlistUid: string | null
    playlistName: string | null
    itemUid: string | null
    mediaUid: string
    sha256: string
    trackName: string
    contentType: string
    scheduledAt: Timestamp
    startedAt: Timestamp
    endedAt: Timestamp
    secondsPlayed: number
    durationSeconds: number
    result: 'complete' | 'joined' | 'cut' | 'failed'
    why: string | null
  }
  profileGroups: {
    profileUid: string
    groupUid: string
    clientId: string
  }
  profileMedia: {
    profileUid: string
    mediaUid: string
    clientId: string
  }
  profiles: {
    uid: string
    clientId: string
    type: 'audio' | 'network' | 'display' | 'logging' | 'alert'
    name: string
    description: Generated<string>
    state: Generated<'active' | 'paused'>
    settings: Generated<Json<JsonColumns['profiles.settings']>>
    activeSettings: Json<JsonColumns['profiles.active_settings']> | null
    createdAt: Timestamp
    changedAt: Timestamp
    version: Generated<number>
  }
  publicationHoldings: {
    publicationUid: string
    deviceUid: string
    clientId: string
    revision: number
    missing: number
    reportedAt: Timestamp
  }
  publications: {
    uid: string
    clientId: string
    kind: 'audio' | 'video'
    name: string
    description: Generated<string>
    groupUid: string
    playlistUid: string
    formerPlaylistUid: string | null
    state: Generated<'active' | 'delayed' | 'disabled'>
    activatedAt: Timestamp | null
    startsAt: Timestamp | null
    startsAtWall: string | null
    revision: Generated<number>
    createdAt: Timestamp
    changedAt: Timestamp
    version: Generated<number>
    deletedAt: Timestamp | null
    deletedBy: string | null
    onAirWords: GeneratedAlways<string | null>
  }
  sessions: {
    uid: string
    clientId: string
    userUid: string
    tokenHash: Buffer
    createdAt: Timestamp
    lastUsedAt: Timestamp
    idleExpiresAt: Timestamp
    expiresAt: Timestamp
    revokedAt: Timestamp | null
  }
  storageReservations: {
    uid: string
    clientId: string
    userUid: string | null
    sizeBytes: number
    createdAt: Timestamp
    expiresAt: Timestamp
  }
  tags: {
    uid: string
    clientId: string
    deviceUid: string | null
    groupUid: string | null
    key: string
    value: string
    description: Generated<string>
    createdAt: Timestamp
    changedAt: Timestamp
  }
  tickets: {
    ticketHash: Buffer
    clientId: string
    sessionUid: string
    path: string
    isOnce: boolean
    expiresAt: Timestamp
    usedAt: Timestamp | null
  }
  updateChannelGroups: {
    channelUid: string
    groupUid: string
    clientId: string
  }
  updateChannels: {
    uid: string
    clientId: string
    name: string
    description: Generated<string>
    state: Generated<'open' | 'frozen'>
    createdAt: Timestamp
    changedAt: Timestamp
    version: Generated<number>
  }
  updateFiles: {
    uid: string
    clientId: string
    name: string
    description: Generated<string>
    originalName: string
    sha256: string
    sizeBytes: number
    signature: string | null
    uploadedBy: string | null
    createdAt: Timestamp
    changedAt: Timestamp
    version: Generated<number>
  }
  updatePackageFiles: {
    uid: string
    clientId: string
    packageUid: string
    fileUid: string
    addedAt: Timestamp
  }
  updatePackages: {
    uid: string
    clientId: string
    name: string
    description: Generated<string>
    category: string
    version: string
    state: Generated<'draft' | 'testing' | 'released'>
    createdAt: Timestamp
    changedAt: Timestamp
    recordVersion: Generated<number>
  }
  uploads: {
    uid: string
    clientId: string
    userUid: string
    contentType: 'videos' | 'videosAds' | 'ads' | 'melodies'
    originalName: string
    sizeBytes: number
    metadata: Json<JsonColumns['uploads.metadata']>
    outcome: Json<JsonColumns['uploads.outcome']> | null
    createdAt: Timestamp
    expiresAt: Timestamp
  }
  userLinks: {
    tokenHash: Buffer
    clientId: string
    userUid: string
    createdAt: Timestamp
    expiresAt: Timestamp
  }
  users: {
    uid: string
    clientId: string
    email: string
    passwordHash: string
    role: 'admin' | 'manager' | 'streamer'
    rights: Generated<'full' | 'view'>
    firstName: Generated<string>
    lastName: Generated<string>
    linkedDeviceUid: string | null
    createdAt: Timestamp
    changedAt: Timestamp
    isInvited: Generated<boolean>
  }
}
