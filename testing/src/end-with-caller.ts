import { rmSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/*
 * Node loads this before a server that several test files use (`--import`). Its input is open as long as the process that started
 * it lives, however that ends. Its data folder goes with it.
 */
function end() {
  const folder = process.env['DATA_DIR']
  if (folder) rmSync(folder, { recursive: true, force: true })
  process.exit()
}
if (isMainThread) process.stdin.once('end', end).resume()
