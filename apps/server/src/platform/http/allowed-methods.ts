import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods that an address takes; none if no route has it. */
    allowedMethods: (path: string) => string[]
    /** Those of a route without parameters at this very address: a route with parameters fits it too. */
    methodsAt: (path: string) => string[]
  }
}

interface Pattern {
  fits: RegExp
  methods: Set<string>
}

/** `/device/:uid` fits one segment for a parameter, `/docs/*` everything below. */
function toPattern(url: string): RegExp {
  const source = url
    .split('/')
    .map(part => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)))
    .join('/')
  return new RegExp(`^${source.replaceAll('*', '.*')}$`)
}

/** Remembers the routes that are registered from now on: Fastify's router finds none for a wrong method. */
export function rememberMethods(app: FastifyInstance): void {
  const patterns = new Map<string, Pattern>()
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = patterns.get(url) ?? { fits: toPattern(url), methods: new Set() }
    patterns.set(url, pattern)
    for (const name of [method].flat()) pattern.methods.add(name)
  })
  app.decorate('methodsAt', path => [...(patterns.get(path)?.methods ?? [])].toSorted())
  app.decorate('allowedMethods', path => {
    const fitting = [...patterns.values()].filter(({ fits }) => fits.test(path))
    return [...new Set(fitting.flatMap(({ methods }) => [...methods]))].toSorted()
  })
}
