import { globSync } from 'node:fs'
import { resolve } from 'node:path'

/** This repository. */
export const ownRoot = resolve(import.meta.dirname, '..')

/** The files below `root` that match one of `patterns`, as paths from there; nothing installed or built. */
export const listFiles = (root: string, patterns: string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }).map(file =>
    file.replaceAll('\\', '/'),
  )
