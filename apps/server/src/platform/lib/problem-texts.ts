import type { ProblemCode } from '@floorcast/contract/problem-codes.ts'

interface ProblemText {
  /** What is wrong, in a sentence. */
  means: string
  /** What the caller can do. */
  remedy: string
}

/** What each code of an error says to those who write programs: `detail` unless there is more to say, and the page /problems/{code}. */
export const problemTexts: Record<ProblemCode, ProblemText> = {
  // The request
  malformed: {
    means: 'The request cannot be read: its JSON, an address or a value has a wrong form.',
    remedy: 'Read `detail`, which names the place where it says one. Send valid JSON as `application/json`.',
  },
  'wrong-fields': {
    means: 'Fields of the body, the path or the query are wrong, missing or unknown.',
    remedy:
      'Read `errors`: each names its field by `path`, the fault by `message` and `detail`, and often what was meant.',
  },
  'search-terms': {
    means: 'The search has too many words.',
    remedy: 'Search for at most 10 words.',
  },
  'no-such-call': {
    means: 'No call has this address.',
    remedy: 'Compare the address with the list of calls at /docs.',
  },
  'method-not-allowed': {
    means: 'The address has calls, but none by this method.',
    remedy: 'Use one of the methods of the header `Allow`.',
  },
  'unsupported-media-type': {
    means: 'The body is of a type that this call does not take.',
    remedy: 'Send JSON as `application/json`, and files as `multipart/form-data` with a boundary.',
  },
  'too-large': {
    means: 'The body is larger than this call takes, or takes more work than the server has for one call.',
    remedy: 'Send less in one call. `detail` names the limit.',
  },
  'head-too-large': {
    means: 'The head of the request is too large.',
    remedy: 'Send fewer and shorter headers, and a shorter address.',
  },
  'too-slow': {
    means: 'The request did not arrive in time.',
    remedy: 'Send it again. On a slow line, upload files by the resumable calls.',
  },
  aborted: {
    means: 'The caller broke off in the middle of the body.',
    remedy: 'Send the request again.',
  },

  // The caller
  'session-expired': {
    means: 'The request has no token, or one that has ended.',
    remedy: 'Sign in again, and send the new token as `Authorization: Bearer TOKEN`.',
  },
  'wrong-login': {
    means: 'No account has this email and password.',
    remedy: 'Correct them, or ask for a link to set a new password.',
  },
  'second-factor': {
    means: 'The password is right, and the account needs a second step.',
    remedy: 'Call `/api/v2/session/second-step` with the ticket of `secondStep`, or sign in with a passkey.',
  },
  'step-expired': {
    means: 'This sign-in, or this step of it, has ended.',
    remedy: 'Begin again with email and password.',
  },
  'wrong-passkey': {
    means: 'The passkey was not accepted.',
    remedy: 'Try it again, or sign in with the password.',
  },
  role: {
    means: "The caller's role does not allow this call.",
    remedy: 'Let a user of a role that the call names make it.',
  },
  rights: {
    means: 'The caller may view, and not change.',
    remedy: 'Let an admin of the client give full rights.',
  },
  'subscription-expired': {
    means:
      'The subscription of the client has ended: everything can be read, and nothing changed. Devices keep playing.',
    remedy: 'Renew the subscription.',
  },
  'registration-closed': {
    means: 'This installation lets nobody register.',
    remedy: 'Ask its operator for an account.',
  },
  'registration-by-mail': {
    means: 'This installation registers by a link that it sends by mail.',
    remedy: 'Ask for the link, and follow it.',
  },
  'email-taken': {
    means: 'There is an account with this email.',
    remedy: 'Sign in with it, or use another email.',
  },
  'link-expired': {
    means: 'The link was used, or its time is over.',
    remedy: 'Ask for a new one.',
  },
  'no-mail-server': {
    means: 'This installation sends no mail.',
    remedy: 'Ask an admin of the client, or the operator.',
  },
  'metrics-token': {
    means: 'The figures of the server are for those who know METRICS_TOKEN.',
    remedy: 'Send it as `Authorization: Bearer TOKEN`.',
  },
  'probe-token': {
    means: 'This address is for the check of the installation.',
    remedy: 'Run `npm run admin -- check`.',
  },
  origin: {
    means: 'A page of another site tried to open a channel.',
    remedy: 'Open it from the address of the console.',
  },

  // The item
  'not-found': {
    means: 'The client has no such item: it was deleted, or never was there.',
    remedy: 'Read the list again. An item in the recycle bin has to be restored first.',
  },
  stale: {
    means: 'Somebody else has changed the item since it was read.',
    remedy: 'Read it again, and send the change with its new version.',
  },
  'start-in-the-past': {
    means: 'The start has passed.',
    remedy: 'Choose a later moment, or leave it out to begin at once.',
  },
  'file-missing': {
    means: 'The store does not have the file that this item names.',
    remedy: 'Upload it again, or let the operator restore it from a backup.',
  },
  'plays-gone': {
    means: 'The single plays of the first days of this period were deleted.',
    remedy: 'Choose later days.',
  },
  'events-gone': {
    means: 'Events after this position were deleted: they are kept for 30 days.',
    remedy: 'Read the present state by the other calls, then events without `after`.',
  },
  'report-rows': {
    means: 'An xlsx file has fewer rows than this report.',
    remedy: 'Choose csv, or fewer days.',
  },
  'proof-too-large': {
    means: 'The period has too many plays for one proof.',
    remedy: 'Choose fewer days.',
  },
  'archive-rows': {
    means: 'The archive has more plays of this period than one report reads.',
    remedy: 'Choose fewer days.',
  },
  'archive-unreadable': {
    means: 'A file of archived plays of this period is missing or damaged.',
    remedy: 'Let the operator restore it from a backup.',
  },
  'proof-key': {
    means: 'The key that signs proofs of play cannot be opened.',
    remedy:
      'Let the operator restore secret.key from a backup, or make a new key by `POST /api/v2/proof/key`.',
  },
  'job-running': {
    means: 'This job is running already.',
    remedy: 'Wait for its end.',
  },

  // A call with Idempotency-Key
  'idempotency-key': {
    means: 'The header `Idempotency-Key` has 1 to 255 visible ASCII characters without spaces.',
    remedy: 'Send a new UUID for each change, and the same one when you repeat it.',
  },
  'key-reused': {
    means: 'Another call was made with this `Idempotency-Key`: its method, address or body differs.',
    remedy: 'Send a new key with a new change.',
  },
  'call-running': {
    means: 'The first call with this `Idempotency-Key` is still in work.',
    remedy: 'Repeat the call after the time of `Retry-After`: it gets the same answer.',
  },
  'answer-lost': {
    means:
      'The first call with this `Idempotency-Key` has changed something, and its server stopped before it answered.',
    remedy: 'Read what the call was to change. Send what is missing with a new key.',
  },

  // Uploads
  'upload-busy': {
    means: 'Another request is writing to this upload.',
    remedy: 'Wait for its end, ask for the offset, and go on from there.',
  },
  'wrong-offset': {
    means: 'The upload is at another place than `Upload-Offset` says.',
    remedy: 'Ask for the offset by HEAD, and go on from there.',
  },
  'upload-gone': {
    means: 'The bytes that were sent before are gone.',
    remedy: 'Begin the upload again.',
  },
  'tus-version': {
    means: 'The resumable upload speaks another version of tus.',
    remedy: 'Send the `Tus-Resumable` of the answer.',
  },
  'too-many-uploads': {
    means: 'The user is sending four files already.',
    remedy: 'Send the next one when one of them is done.',
  },

  // Limits and load
  'too-many-requests': {
    means: 'Too many requests of this kind came from this caller.',
    remedy: 'Wait for the time of `Retry-After`.',
  },
  'too-many-changes': {
    means: 'The client has made too many changes at once.',
    remedy:
      'Wait for the time of `Retry-After`. A bulk call counts as one change; `RateLimit` says what is left.',
  },
  'heavy-busy': {
    means: 'Imports, bulk changes and exports of others are in work. Nothing was changed.',
    remedy: 'Wait for the time of `Retry-After`.',
  },
  'mail-limit': {
    means: 'Several mails went to this address lately.',
    remedy: 'Look into the inbox and the spam folder, or wait for an hour.',
  },
  busy: {
    means: 'The server has more to do than it can. Nothing was changed.',
    remedy: 'Wait for the time of `Retry-After`.',
  },
  'disk-full': {
    means: "Too little of the server's disk is free. Nothing was changed.",
    remedy: 'Reads, deletions and alerts work. Free space, then try again.',
  },
  'read-only': {
    means: 'The operator is maintaining the installation. Nothing was changed.',
    remedy: 'Reads and alerts work. Try again later.',
  },
  'database-away': {
    means: 'The server cannot reach its database. Nothing was changed.',
    remedy: 'Wait for the time of `Retry-After`.',
  },
  'files-away': {
    means: 'The server cannot reach its store of files. Nothing was changed.',
    remedy: 'Wait for the time of `Retry-After`.',
  },
  internal: {
    means: 'The server failed.',
    remedy:
      'Try again. If it fails again, give the operator the `id` of the answer, by which the log names the cause.',
  },

  // Devices
  'device-token': {
    means: "The token is not that of a device's session, or the session has ended.",
    remedy: 'Open a session with the license key.',
  },
  'license-unknown': {
    means: 'No device has this license key.',
    remedy: "Copy the key or the install command from the device's card.",
  },
  'license-bound': {
    means: 'The license key belongs to another player.',
    remedy: "Choose 'New licence key' on the device's card, and start the player with the new key.",
  },
  'session-replaced': {
    means: 'Another player reports for this device now.',
    remedy: 'Start this one again to let it report.',
  },
  'other-address': {
    means: 'The device asks for another address than that of its server.',
    remedy: 'Use the address that its manifest names.',
  },
  'upgrade-required': {
    means: 'This address is a WebSocket.',
    remedy: 'Open it with the headers of an upgrade.',
  },
  'too-many-events': {
    means: 'The device delivers more events than it can have had.',
    remedy: 'Keep them, and send them after the time of `Retry-After`.',
  },
  'too-many-heartbeats': {
    means: 'The device sends more heartbeats than one each second.',
    remedy: 'Send them after the time of `Retry-After`.',
  },
}
