import * as tls from 'node:tls'

/**
 * Trusts the certificate authorities of the system beside Node's own, as curl does: a company's own one, and those of the years
 * after this Node. The supervisor asks for it by an option; this is for starts without one. Node has it since 22.19 and 24.5.
 */
export function trustSystemAuthorities(): void {
  // Types of Node 24: an older one may lack both.
  const { getCACertificates, setDefaultCACertificates } = tls as Partial<typeof tls>
  if (!getCACertificates || !setDefaultCACertificates) return
  try {
    setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])])
  } catch (error) {
    console.error(`The system's certificate authorities cannot be read: ${String(error)}`)
  }
}
