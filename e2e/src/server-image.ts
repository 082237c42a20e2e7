import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ownRoot } from '../../tools/source-files.ts'

/* What Dockerfile and compose.yaml say, for tests. */

const read = (file: string) => readFileSync(join(ownRoot, file), 'utf8')

interface Instruction {
  name: string
  text: string
}

function readInstructions(): Instruction[] {
  const lines = read('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
  return [...lines.matchAll(/^([A-Z]+) (.+)$/gm)].map(([, name = '', text = '']) => ({ name, text }))
}

export interface ImageFile {
  /** Copied from the folder of the archive. */
  sources: string[]
  environment: Record<string, string>
  user: string
  workingFolder: string
  volume: string
  port: string
  command: string[]
  healthCheck: string[]
}

/** The Dockerfile, of which the last stage becomes the image. */
export function readImageFile(): ImageFile {
  const all = readInstructions()
  const last = all.slice(all.findLastIndex(({ name }) => name === 'FROM'))
  const textOf = (name: string) => last.find(found => found.name === name)?.text ?? ''
  const textsOf = (name: string, of: readonly Instruction[]) =>
    of.filter(found => found.name === name).map(({ text }) => text)
  return {
    sources: textsOf('COPY', all)
      .filter(text => !text.startsWith('--from='))
      .flatMap(text => text.split(' ').slice(0, -1)),
    environment: Object.fromEntries(
      textsOf('ENV', last).map((text): [string, string] => {
        const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(text) ?? []
        return [name, value]
      }),
    ),
    user: textOf('USER'),
    workingFolder: textOf('WORKDIR'),
    volume: textOf('VOLUME'),
    port: textOf('EXPOSE'),
    command: JSON.parse(textOf('CMD')) as string[],
    healthCheck: JSON.parse(/ CMD (.+)$/.exec(textOf('HEALTHCHECK'))?.[1] ?? '') as string[],
  }
}

interface ComposeService {
  command?: string[]
  entrypoint?: string[]
  image?: string
  build?: string
  environment: Record<string, string>
  env_file?: { path: string; required: boolean }[]
  volumes: string[]
  depends_on?: Record<string, { condition: string }> | string[]
  healthcheck?: { test: string[] }
  ports?: string[]
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  mem_limit?: string
  ulimits?: { nofile: number }
  stop_grace_period?: string
}

export interface ComposeFile<Name extends string> {
  name: string
  services: Record<Name, ComposeService>
  volumes: Record<string, null>
}

export const COMPOSE = 'compose.yaml'
export const COMPOSE_OF_SEVERAL = 'ops/compose/several-servers.yaml'

const readCompose = <Name extends string>(file: string) =>
  parse(read(file), { merge: true }) as ComposeFile<Name>

export const readComposeFile = () => readCompose<'server' | 'database' | 'proxy'>(COMPOSE)
export const readComposeOfSeveral = () =>
  readCompose<'server-one' | 'server-two' | 'database' | 'standby' | 'store' | 'proxy'>(COMPOSE_OF_SEVERAL)

/** The variables that a file for Compose takes from `.env`; those without a value of their own are demanded. */
export const readVariables = (file: string) =>
  [...read(file).matchAll(/\$\{(\w+)(:-|:\?)/g)].map(([, name = '', kind]) => ({
    name,
    isDemanded: kind === ':?',
  }))

/** Fills variables in, as Compose does. */
export const fillVariables = (text: string, values: Record<string, string>) =>
  text.replaceAll(/\$\{(\w+):[-?]([^}]*)\}/g, (_, name: string, rest: string) => values[name] ?? rest)
