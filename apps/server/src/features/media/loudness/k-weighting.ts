/** A second-order filter's coefficients, normalised so that a0 is 1. */
type Biquad = { b0: number; b1: number; b2: number; a1: number; a2: number }

// ITU-R BS.1770 gives both filters at 48 kHz only; these analogue values give them at any rate (and the same at 48 kHz).
function shelf(sampleRate: number): Biquad {
  const quality = 0.7071752369554196
  const gain = 10 ** (3.999843853973347 / 20)
  const middle = gain ** 0.4996667741545416
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate)
  const a0 = 1 + k / quality + k * k
  return {
    b0: (gain + (middle * k) / quality + k * k) / a0,
    b1: (2 * (k * k - gain)) / a0,
    b2: (gain - (middle * k) / quality + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / quality + k * k) / a0,
  }
}

function highPass(sampleRate: number): Biquad {
  const quality = 0.5003270373238773
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate)
  const a0 = 1 + k / quality + k * k
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / quality + k * k) / a0 }
}

/** Makes one channel's K-weighting (BS.1770): sample in, weighted sample out. */
export function createKWeighting(sampleRate: number): (sample: number) => number {
  const first = shelf(sampleRate)
  const second = highPass(sampleRate)
  let [s1, s2, t1, t2] = [0, 0, 0, 0]
  return sample => {
    const shelved = first.b0 * sample + s1
    s1 = first.b1 * sample - first.a1 * shelved + s2
    s2 = first.b2 * sample - first.a2 * shelved
    const weighted = second.b0 * shelved + t1
    t1 = second.b1 * shelved - second.a1 * weighted + t2
    t2 = second.b2 * shelved - second.a2 * weighted
    return weighted
  }
}
