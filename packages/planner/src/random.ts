const MODULUS = 2_147_483_647
const FACTOR = 48_271

/** The state of a generator of numbers: a whole number from 1 to 2³¹ − 2. */
export interface Random {
  state: number
}

/** A generator whose numbers depend on the seed alone (Park and Miller's; every product stays an exact whole number). */
export function seedRandom(seed: number): Random {
  const whole = Number.isFinite(seed) ? Math.floor(Math.abs(seed)) % (MODULUS - 1) : 0
  const random = { state: whole + 1 }
  for (let n = 0; n < 8; n++) drawBelow(random, 2)
  return random
}

/** The next whole number from 0 to `count` − 1. */
export function drawBelow(random: Random, count: number): number {
  const product = random.state * FACTOR
  // The product is below 2⁴⁷, so quotient and remainder are exact; `%` on such numbers is several times slower.
  random.state = product - Math.floor(product / MODULUS) * MODULUS
  return Math.floor((random.state / MODULUS) * count)
}

/** Puts the array into an order of the generator's choice. */
export function shuffle(random: Random, numbers: Int32Array): void {
  for (let left = numbers.length; left > 1; left--) {
    const other = drawBelow(random, left)
    const moved = numbers[left - 1] ?? 0
    numbers[left - 1] = numbers[other] ?? 0
    numbers[other] = moved
  }
}
