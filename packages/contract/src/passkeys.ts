import { z } from 'zod'
import { SignedIn } from './auth.ts'
import { anyUser, endpoint, openToAll } from './endpoint.ts'
import { Name, OwnPassword, Uid } from './fields.ts'
import { Outcome } from './outcomes.ts'
import { SignInTicket } from './sign-in-ticket.ts'

/** base64url of what an authenticator sends. */
const Bytes = z.string().max(20_000, 'too-long')
const Transports = z.array(z.string().max(40)).max(10)

/** The options of a WebAuthn call in their JSON form, for the browser. */
export const WebAuthnOptions = z.looseObject({
  /** In base64url; the answer has to have it within 5 minutes. */
  challenge: z.string(),
})

/** Browsers add fields to the JSON of a credential, such as `publicKeyAlgorithm`. */
export const PasskeyCredential = z.looseObject({
  /** The credential's id in base64url. */
  id: z.string().max(2000, 'too-long'),
  /** The same as `id`. */
  rawId: z.string().max(2000, 'too-long'),
  /** A constant of WebAuthn. */
  type: z.literal('public-key'),
  /** Whether the device itself has the passkey, or another one. */
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  /** What extensions of WebAuthn answered. */
  clientExtensionResults: z.looseObject({}),
})

/** `PublicKeyCredential.toJSON()` of a new passkey. */
export const NewCredential = PasskeyCredential.extend({
  /** The authenticator's answer, in base64url. */
  response: z.looseObject({
    /** The browser's JSON with the challenge and its origin. */
    clientDataJSON: Bytes,
    /** The new public key and its flags, in CBOR. */
    attestationObject: Bytes,
    /** How browsers reach the authenticator, such as `usb`. */
    transports: Transports.optional(),
  }),
})

/** `PublicKeyCredential.toJSON()` of a sign-in. */
export const CredentialAnswer = PasskeyCredential.extend({
  /** The authenticator's answer, in base64url. */
  response: z.looseObject({
    /** The browser's JSON with the challenge and its origin. */
    clientDataJSON: Bytes,
    /** The hash of the site, flags and a counter. */
    authenticatorData: Bytes,
    /** Made with the key of the passkey. */
    signature: Bytes,
    /** Whose passkey it is; absent: the authenticator does not say. */
    userHandle: z.string().max(200).optional(),
  }),
})

export const beginPasskeySignIn = endpoint({
  method: 'POST',
  path: '/api/v2/session/passkey/begin',
  summary: 'The options for `navigator.credentials.get`, valid for 5 minutes.',
  access: openToAll,
  answer: z.object({
    /** For the browser, as they are. */
    options: WebAuthnOptions,
  }),
})

export const signInByPasskey = endpoint({
  path: '/api/v2/session/passkey',
  summary:
    "Sign in with a passkey, which needs no password and is a second factor too. With the `ticket` of a first step it completes that step, and uses its link. HTTP 400 'wrong-passkey' for an answer that is unknown, old or used.",
  access: openToAll,
  body: z.object({
    credential: CredentialAnswer,
    /** The `ticket` of the first step, if there was one. */
    ticket: SignInTicket.optional(),
  }),
  answer: SignedIn,
})

export const beginPasskey = endpoint({
  path: '/api/v2/second-factor/passkeys/begin',
  summary:
    'The options for `navigator.credentials.create`, valid for 5 minutes. HTTP 422 at `password` if that is wrong.',
  access: anyUser,
  body: z.object({ password: OwnPassword }),
  answer: z.object({
    /** For the browser, as they are. */
    options: WebAuthnOptions,
  }),
})

export const addPasskey = endpoint({
  path: '/api/v2/second-factor/passkeys/add',
  summary:
    "Add a passkey that the browser has made; the user's other sessions end. The recovery codes come with the first factor, once. HTTP 400 'wrong-passkey'.",
  access: anyUser,
  body: z.object({ name: Name, credential: NewCredential }),
  answer: Outcome.extend({
    /** Absent if the user has codes already. */
    recoveryCodes: z.array(z.string()).optional(),
  }),
  outcomes: ['done'],
})

export const removePasskey = endpoint({
  path: '/api/v2/second-factor/passkeys/{uid}/remove',
  summary:
    "Remove a passkey of one's own. HTTP 422 at `password` if that is wrong; 400 'second-factor-required' for the last factor if the client requires one.",
  access: anyUser,
  worksOnFullDisk: true,
  params: z.object({ uid: Uid }),
  body: z.object({ password: OwnPassword }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
})
