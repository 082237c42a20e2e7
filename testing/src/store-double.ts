import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { FaultyFiles } from './faulty-files.ts'
import { freePort } from './free-port.ts'

/** A store of files that answers signed addresses, with its faults. It can be stopped and started again on the same port. */
export class StoreDouble extends FaultyFiles {
  /** The header `Authorization` of each request: a device must send none. */
  readonly authorizations: (string | undefined)[] = []
  /** The statuses of the next answers, as of addresses that have ended. */
  readonly refusals: number[] = []
  #server: Server | null = null
  #port = 0

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`
  }
  /** The address at which it has a file. */
  addressOf = (sha256: string): string => `${this.origin}/bucket/${sha256}`

  async start(): Promise<void> {
    this.#port ||= await freePort()
    this.#server = createServer((request, response) => {
      this.authorizations.push(request.headers.authorization)
      const refusal = this.refusals.shift()
      if (refusal === undefined) return this.sendFile(request, response)
      response.writeHead(refusal, { 'content-type': 'application/xml' }).end('<Error/>')
    })
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    if (!server) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}
