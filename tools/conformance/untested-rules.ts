/*
 * The rules of docs/device-protocol.md that no check tests. A run prints them, so that nobody takes 'all rules hold' for more than
 * it is: move a rule to the checks when one tests it.
 */

export const untestedOfPlayers: readonly string[] = [
  'the loop of a shop that never closes over midnight, and of several days',
  'the days on which the clocks of the zone change, by `zoneOffsets`',
  'crossfades, overlaps and the window of a smart playlist that runs over midnight',
  'a delayed start at an instant',
  'a new manifest comes in force at a track boundary, after 15 minutes with what is missing',
  'the own sound of an alert, its volume, and an alert that only the answer to a heartbeat has',
  'the loudness of each file',
  'the hours and the rate of downloads',
  'rotation and resolution of the screen',
  'the commands `restart` and `screenshot`, and commands that come twice',
  'updates: a good one, lower versions, the return to the former version, and its other events',
  'events that outlive a power cut, and 90 days without a server',
  '`quarantined`, and the other reasons of `silence`',
  'another address of the server, signed or not',
  'the way to a store of files that the server names, and back',
  'the session of a streamer in a browser',
]

export const untestedOfServers: readonly string[] = [
  'the same bytes of a programme for all devices of a group, and a new manifest after each change',
  'alerts in the manifest, in the answer to a heartbeat and on the channel, and their receipts',
  'commands, their `ack` and their files',
  '`manifest` messages, pings and close codes but 4001',
  'updates and their files',
  'the address of a file in a store, which `floorcast-files` asks for',
  'limits: 2,000 heartbeats and 50,000 events at once, then 429 with Retry-After',
  'plays that are stored and count nowhere',
  'the session of a streamer in a browser, and tickets',
]
