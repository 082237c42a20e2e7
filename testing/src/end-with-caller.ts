import { isMainThread } from 'node:worker_threads'

/*
 * Node loads this before a program that several test files use (`--import`). Its input is open as long as the process that started
 * it lives, however that ends.
 */
if (isMainThread) process.stdin.once('end', () => process.exit()).resume()
