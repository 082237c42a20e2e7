import axe from 'axe-core'

/** What keeps people from using the page as it is drawn now: a line of rule, place and reason for each violation. */
export async function findBarriers(): Promise<string[]> {
  const { violations } = await axe.run(document.body, { resultTypes: ['violations'] })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}
