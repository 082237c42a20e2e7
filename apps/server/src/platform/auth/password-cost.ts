interface PasswordCost {
  /** KiB. */
  memoryCost: number
  /** Passes over the memory. */
  timeCost: number
}

/** The cost of argon2id: the package's defaults, and OWASP's first recommendation. */
export const PASSWORD_COST: Readonly<PasswordCost> = { memoryCost: 19_456, timeCost: 2 }

/** The present cost of a hash. Tests of anything but passwords lower it: each client that they make has a password. */
export const passwordCost: PasswordCost = { ...PASSWORD_COST }
