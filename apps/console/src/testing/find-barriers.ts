import axe from 'axe-core'

const nextFrame = () => new Promise(resolve => requestAnimationFrame(resolve))

const hasNamelessDialog = () =>
  document.querySelector('[role=dialog]:not([aria-label], [aria-labelledby])') !== null
/** A browser with much to do runs effects some frames later. */
const NAMING_MS = 1000

/**
 * Barriers that keep people from using the page as it is painted: a line of rule, place and reason for each violation. A dialog learns its
 * name by an effect of its title.
 */
export async function findBarriers(): Promise<string[]> {
  const until = performance.now() + NAMING_MS
  do {
    await nextFrame()
    await nextFrame()
  } while (hasNamelessDialog() && performance.now() < until)
  const { violations } = await axe.run(document.body, { resultTypes: ['violations'] })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}
