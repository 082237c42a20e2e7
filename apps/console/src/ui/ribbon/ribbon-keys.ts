interface KeySteps {
  /** The step of an arrow. */
  step: number
  /** The step of Page Up and Page Down. */
  page: number
  isMirrored: boolean
}

/** How far a key moves along a ribbon; left and right follow the text direction. Undefined: the key moves nothing. */
export function stepOfKey(key: string, { step, page, isMirrored }: KeySteps): number | undefined {
  const right = isMirrored ? -step : step
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: right,
    ArrowLeft: -right,
    ArrowUp: step,
    ArrowDown: -step,
    PageUp: page,
    PageDown: -page,
    End: Infinity,
    Home: -Infinity,
  }
  return steps[key]
}
