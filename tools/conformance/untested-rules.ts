/*
 * The rules of docs/device-protocol.md that no check tests. A run prints them, so that nobody takes 'all rules hold' for more than
 * it is: move a rule to the checks when one tests it.
 */

export const untestedOfPlayers: readonly string[] = [
  'the timeline: the loop begins at the opening, and a player that starts later joins it (plays `joined`)',
  'silence outside the opening hours, and outside the dates and the window of a playlist',
  'wall times in the zone of the device, by `zoneOffsets`, also when its clocks change',
  'items with `startTime`, several `plays` of an item, and crossfades',
  'smart playlists: blocks, gaps and overlaps',
  'delayed starts, at an instant and at a wall time',
  'a new manifest comes in force at a track boundary, after 15 minutes with what is missing',
  'a play that an alert or a new publication interrupts is `cut`',
  'an alert of the manifest and of the answer to a heartbeat, sounded once by its uid, with its own sound',
  'the volume, that of alerts, and the loudness of each file',
  'the hours and the rate of downloads',
  'rotation and resolution of the screen',
  'commands that it knows: `restart`, `volume`, `screenshot`, `send-log`, `identify`',
  'updates: versions, signatures, the return to the former version, and its events',
  'the waits of 429 and 503, and a redirect, which must not get the token',
  "the server's time in events, and events that outlive a power cut and 90 days without a server",
  '`nowPlaying`, `silence` and `quarantined` of a heartbeat say what is so',
  'the session of a streamer in a browser',
]

export const untestedOfServers: readonly string[] = [
  'version 1, for players that do not ask for version 2',
  'the same bytes of a programme for all devices of a group, and a new manifest after each change',
  'alerts in the manifest, in the answer to a heartbeat and on the channel, and their receipts',
  'commands, their `ack` and their files',
  '`manifest` messages, pings and close codes but 4001',
  'updates and their files, and pictures of media',
  'limits: 2,000 heartbeats and 50,000 events at once, then 429 with Retry-After',
  'plays that are stored and count nowhere',
  'the session of a streamer in a browser, and tickets',
]
