import { createHash, randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32

/** 256 random bits, as text that a header and a query can carry. */
export const makeToken = () => randomBytes(TOKEN_BYTES).toString('base64url')

/** SHA-256 of a token or ticket: all that the database keeps of it. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
