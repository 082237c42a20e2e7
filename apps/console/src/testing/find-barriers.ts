import axe from 'axe-core'

const nextFrame = () => new Promise(resolve => requestAnimationFrame(resolve))

/**
 * Barriers that keep people from using the page as it is painted: a line of rule, place and reason for each violation. A dialog learns its
 * name once its title is there, before the browser paints it.
 */
export async function findBarriers(): Promise<string[]> {
  await nextFrame()
  await nextFrame()
  const { violations } = await axe.run(document.body, { resultTypes: ['violations'] })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}
