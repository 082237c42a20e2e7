/* The parts of s3rver that are used: it has no declarations. */

declare module 's3rver' {
  export default class S3rver {
    constructor(options: { address: string; port: number; silent: boolean; directory: string })
    httpServer: import('node:http').Server
    run(): Promise<unknown>
    close(): Promise<void>
  }
}
