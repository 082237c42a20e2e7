import type { SignedIn } from './schemas.ts'
import { FloorcastError, readJson } from './errors.ts'
import type { Transport } from './transport.ts'

/** A user of the client who signs in with a password. */
export interface SignIn {
  email: string
  password: string
  /** A code of the user's authenticator app, for a user with a second factor; asked at each sign-in. */
  code?: () => string | Promise<string>
}

/** A token, or a function that gives the present one. */
export type Token = string | (() => string | Promise<string>)

/** Gives the token for calls: the caller's own, or that of a sign-in, which is done once for all calls that wait for it. */
export class TokenSource {
  readonly #signIn: () => Promise<string>
  readonly #canRenew: boolean
  #token: Promise<string> | null = null

  constructor(
    transport: Transport,
    { token, signIn }: { token?: Token | undefined; signIn?: SignIn | undefined },
  ) {
    this.#canRenew = signIn !== undefined
    this.#signIn = signIn
      ? () => signInWith(transport, signIn)
      : async () => (typeof token === 'function' ? token() : (token ?? ''))
  }

  /** @throws FloorcastError of the sign-in. A wrong password is not tried again, since the server counts wrong ones. */
  async get(): Promise<string> {
    if (!this.#canRenew) return this.#signIn()
    this.#token ??= this.#signIn().catch((error: unknown) => {
      if (!(error instanceof FloorcastError && error.code === 'wrong-login')) this.#token = null
      throw error
    })
    return this.#token
  }

  /** Whether there is another token than the one that the server has refused. */
  async renew(refused: string): Promise<boolean> {
    if (!this.#canRenew) return false
    if ((await this.#token) === refused) this.#token = null
    return true
  }
}

async function signInWith(transport: Transport, { email, password, code }: SignIn): Promise<string> {
  // The call that waits for it is repeated, and this with it.
  const ask = (path: string, input: object) =>
    transport.repeat({ call: `POST ${path}`, mayRepeat: false }, async signal => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(input)
      const request = { method: 'POST', template: path, path, headers, body }
      const answer = await readJson(`POST ${path}`, await transport.sendForSuccess(request, signal))
      return (answer as { data: SignedIn }).data.token
    })
  try {
    return await ask('/users/authenticate', { email, password })
  } catch (error) {
    const ticket = error instanceof FloorcastError && error.problem?.secondStep?.ticket
    if (!ticket || code === undefined) throw error
    return await ask('/api/v2/session/second-step', { ticket, code: await code() })
  }
}
