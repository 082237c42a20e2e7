import type { SmallPlay, TimelineFaults } from './small-timeline.ts'

/** The faults that the player may have. */
export interface PlayerFaults extends TimelineFaults {
  followsRedirects?: boolean
  ignoresServerTime?: boolean
  namesNoStart?: boolean
  cutsNothing?: boolean
  repeatsAlerts?: boolean
  ignoresVolume?: boolean
  sendsNoLog?: boolean
  ignoresRetryAfter?: boolean
  takesAnyUpdate?: boolean
}

/** A later start is inside the file. */
export const JOIN_MS = 300

export interface Playing extends SmallPlay {
  startedAt: number
}

interface State {
  runId: string
  volume: number
  playing: Playing | null
  /** The error of the named start. */
  namedMs: number
  silence: { because: string; since: number }
  intervalSeconds: number
  manifestEtag: string | null
  held: unknown[]
}

const iso = (at: number) => new Date(at).toISOString()

/** A heartbeat. */
export function describeState({ runId, volume, playing, namedMs, silence, ...rest }: State) {
  return {
    sentAt: iso(Date.now()),
    bootId: runId,
    programVersion: '1.0.0',
    temperatureCelsius: null,
    memorySizeBytes: null,
    freeMemoryBytes: null,
    ipAddress: null,
    macAddress: null,
    volume,
    nowPlaying: playing && {
      name: playing.file.name,
      mediaUid: playing.file.mediaUid,
      contentType: playing.file.contentType,
      startedAt: iso(playing.startedAt + namedMs),
      offsetSeconds: Math.max(0, playing.startedAt - playing.startsAt) / 1000,
      durationSeconds: playing.file.durationSeconds,
    },
    silence: playing ? null : { because: silence.because, since: iso(silence.since) },
    ...rest,
    quarantined: [],
    alertCheck: null,
  }
}

/** The event of a play. `why`: by what it was cut. */
export function describePlay(
  { publication, playlist, itemUid, file, startsAt, startedAt }: Playing,
  { endedAt, why }: { endedAt: number; why: string | null },
) {
  const isJoined = startedAt - startsAt > JOIN_MS
  return {
    kind: 'playtrack',
    publicationUid: publication.uid,
    playlistUid: playlist.uid,
    playlistName: playlist.name,
    itemUid,
    mediaUid: file.mediaUid,
    sha256: file.sha256,
    trackName: file.name,
    contentType: file.contentType,
    scheduledAt: iso(startsAt),
    startedAt: iso(startedAt),
    endedAt: iso(endedAt),
    secondsPlayed: Math.max(0, endedAt - startedAt) / 1000,
    durationSeconds: file.durationSeconds,
    result: why !== null ? 'cut' : isJoined ? 'joined' : 'complete',
    why,
  }
}
