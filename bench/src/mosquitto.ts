import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { mqttPublish, mqttWire } from './receiver-wires.ts'
import { endWithThisProcess } from './server-process.ts'

const PORT = 18_830

export interface Broker {
  port: number
  /** Publishes with QoS 1. */
  publish: (topic: string, payload: string) => void
  stop: () => Promise<void>
}

/** Whether the broker can be started here. */
export const hasMosquitto = () => spawnSync('mosquitto', ['-h']).error === undefined

async function openPublisher(): Promise<Omit<Broker, 'port' | 'stop'> & { end: () => void }> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onRefused = (why: string) => reject(new Error(why))
  const wire = mqttWire(
    { id: 'publisher', topic: null },
    { onReady: resolve, onRefused, onMessage: () => null },
  )
  const socket = connect({ port: PORT, host: '127.0.0.1' }).setNoDelay(true)
  socket.on('connect', () => wire.open(socket))
  socket.on('data', data => wire.read(data, socket))
  socket.on('error', reject)
  await promise
  let packets = 0
  return {
    publish: (topic, payload) => socket.write(mqttPublish(topic, (packets += 1), payload)),
    end: () => socket.destroy(),
  }
}

/** Starts Mosquitto with its own defaults, for any number of local clients without a password. */
export async function startMosquitto(folder: string): Promise<Broker> {
  const file = join(folder, 'mosquitto.conf')
  const settings = [`listener ${PORT} 127.0.0.1`, 'allow_anonymous true', 'user root', 'log_dest none']
  writeFileSync(file, `${settings.join('\n')}\n`)
  const program = spawn('mosquitto', ['-c', file], { stdio: 'ignore' })
  endWithThisProcess(program)
  const ended = once(program, 'exit')
  await pause(1000)
  const { publish, end } = await openPublisher()
  return {
    port: PORT,
    publish,
    stop: async () => {
      end()
      program.kill('SIGTERM')
      await ended
    },
  }
}
