import { z } from 'zod'

/** A ticket of the first step of a sign-in. */
export const SignInTicket = z.string().min(1, 'empty').max(200, 'too-long')
