import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { requireProgram } from '@floorcast/testing/debian-program.ts'
import { change, readExample } from '@floorcast/testing/ops-example.ts'
import { cellServers } from '@floorcast/testing/reverse-proxy.ts'
import { endWithThisProcess } from './server-process.ts'

export interface CellBalancer {
  pid: number
  stop: () => Promise<void>
}

/**
 * HAProxy in front of a cell's servers by ops/haproxy/cell.cfg, without TLS, since one server is measured without it. Consoles call
 * `localhost`, devices 127.0.0.1. It takes each server as ready until checks fail.
 */
export function startCellBalancer(folder: string, port: number, to: readonly number[]): CellBalancer {
  requireProgram('haproxy', 'haproxy')
  const file = join(folder, 'haproxy.cfg')
  const here = change(readExample('haproxy/cell.cfg'), [
    ['maxconn 100000', 'maxconn 9000'],
    // The benches write media without their files, so that no server is ready.
    ['/health/ready?allow=disk-full,clock-off', '/health/live'],
    ['stream.floorcast.example }', '127.0.0.1 }'],
    ['bind :80', `bind 127.0.0.1:${port}`],
    ['bind [::]:80', `bind [::1]:${port}`],
    ...cellServers(to),
  ])
  const ofTls = /^ {2}(?:bind \S+ (?:v6only )?ssl|http-request redirect scheme|option httplog).*\n/gm
  writeFileSync(file, here.replaceAll(ofTls, ''))
  const program = spawn('haproxy', ['-f', file], { stdio: ['ignore', 'ignore', 2] })
  endWithThisProcess(program)
  const ended = once(program, 'exit')
  return {
    pid: program.pid ?? 0,
    stop: async () => {
      program.kill('SIGTERM')
      await ended
    },
  }
}
