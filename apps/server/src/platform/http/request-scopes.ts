import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Who follows requests from their head to the end of their answer, such as traces. */
export interface RequestFollower<Scope extends object> {
  /** @param request without `route`: no call has this address @returns null: it is not followed */
  begin(request: { id: string; method: string; route?: string }): Scope | null
  /** Runs the stages of the request in its scope. */
  enter(scope: Scope, work: () => void): void
  end(scope: Scope, answer: { status: number; outcome?: string | number }): void
}

/** Call it before the server listens. */
export function followRequests<Scope extends object>(
  app: FastifyInstance,
  follower: RequestFollower<Scope>,
): void {
  const scopes = new WeakMap<FastifyRequest, Scope>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { id, method, routeOptions } = request
    const { url } = routeOptions
    const scope = follower.begin({ id, method, ...(url === undefined ? {} : { route: url }) })
    if (scope === null) return done()
    scopes.set(request, scope)
    follower.enter(scope, done)
  })
  // The body has come by events of its connection.
  app.addHook('preValidation', (request, _reply, done) => {
    const scope = scopes.get(request)
    if (scope) follower.enter(scope, done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const scope = scopes.get(request)
    const { outcome } = request.note
    if (scope)
      follower.end(scope, { status: reply.statusCode, ...(outcome === undefined ? {} : { outcome }) })
    done()
  })
}
