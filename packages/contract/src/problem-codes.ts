/** The codes of HTTP errors, each with its status. The console's words for them are in `problems.json`. */
export const problemStatuses = {
  // The request
  malformed: 400,
  'wrong-fields': 422,
  'search-terms': 400,
  'no-such-call': 404,
  'method-not-allowed': 405,
  'unsupported-media-type': 415,
  'too-large': 413,
  'head-too-large': 431,
  'too-slow': 408,
  aborted: 400,

  // The caller
  'session-expired': 401,
  'wrong-login': 400,
  'second-factor': 403,
  'step-expired': 400,
  'wrong-passkey': 400,
  role: 403,
  rights: 403,
  'subscription-expired': 403,
  'registration-closed': 403,
  'registration-by-mail': 403,
  'email-taken': 422,
  'link-expired': 400,
  'no-mail-server': 403,
  'metrics-token': 401,
  'probe-token': 401,
  origin: 403,

  // The item
  'not-found': 404,
  stale: 409,
  'start-in-the-past': 400,
  'file-missing': 404,
  'plays-gone': 410,
  'events-gone': 410,
  'report-rows': 413,
  'proof-too-large': 413,
  'archive-rows': 413,
  'archive-unreadable': 409,
  'proof-key': 503,
  'job-running': 409,

  // A call with Idempotency-Key
  'idempotency-key': 400,
  'key-reused': 422,
  'call-running': 409,
  'answer-lost': 409,

  // Uploads
  'upload-busy': 423,
  'wrong-offset': 409,
  'upload-gone': 410,
  'tus-version': 412,
  'too-many-uploads': 429,

  // Limits and load
  'too-many-requests': 429,
  'too-many-changes': 429,
  'heavy-busy': 429,
  'mail-limit': 429,
  busy: 503,
  'disk-full': 503,
  'read-only': 503,
  'database-away': 503,
  'files-away': 503,
  internal: 500,

  // Devices
  'device-token': 401,
  'license-unknown': 404,
  'license-bound': 403,
  'session-replaced': 409,
  'other-address': 409,
  'upgrade-required': 426,
  'too-many-events': 429,
  'too-many-heartbeats': 429,
} as const

export type ProblemCode = keyof typeof problemStatuses

export const problemCodes = Object.keys(problemStatuses) as ProblemCode[]
