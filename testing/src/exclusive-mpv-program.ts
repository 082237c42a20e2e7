/**
 * Answers on mpv's control socket as mpv does. A file that is loaded, also paused, holds the output (a folder) until it is stopped; while
 * another program holds it, no file can be played.
 */
import { mkdirSync, rmdirSync } from 'node:fs'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'

const [output = ''] = process.argv.slice(2)
const socket = new Socket({ fd: 3 })
const send = (message: object) => socket.write(`${JSON.stringify(message)}\n`)

let entry = 0
let isHolding = false
let startedAt = 0

function open(): boolean {
  try {
    if (!isHolding) mkdirSync(output)
    isHolding = true
  } catch {
    return false
  }
  return true
}

function close(): void {
  if (isHolding) rmdirSync(output)
  isHolding = false
}

function load(): void {
  send({ event: 'start-file', playlist_entry_id: entry })
  if (!open())
    return void send({
      event: 'end-file',
      playlist_entry_id: entry,
      reason: 'error',
      file_error: 'audio output initialization failed',
    })
  startedAt = performance.now()
  send({ event: 'playback-restart' })
}

const properties: Record<string, () => unknown> = {
  'audio-pts': () => (performance.now() - startedAt) / 1000,
  'playlist-playing-pos': () => 0,
  'playlist/0/id': () => entry,
}

createInterface({ input: socket }).on('line', line => {
  const { command, request_id } = JSON.parse(line) as { command: unknown; request_id: number }
  const [name, argument] = Array.isArray(command)
    ? (command as string[])
    : [(command as { name: string }).name]
  const isLoad = name === 'loadfile'
  if (isLoad) entry += 1
  const data = isLoad ? { playlist_entry_id: entry } : properties[argument ?? '']?.()
  send({ request_id, error: 'success', ...(data === undefined ? {} : { data }) })
  if (isLoad) load()
  if (name === 'stop' && isHolding) {
    close()
    send({ event: 'end-file', playlist_entry_id: entry, reason: 'stop' })
  }
})
socket.on('close', () => {
  close()
  process.exit(0)
})
process.on('SIGTERM', () => {
  close()
  process.exit(0)
})
