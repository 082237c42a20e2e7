/** What the wizard's fields take; crossfade in seconds, as the import has it. */
export const limits = { weight: { min: 1, max: 10 }, crossfade: { min: 0, max: 10 } } as const
