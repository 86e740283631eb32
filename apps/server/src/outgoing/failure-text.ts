/** Why a connection failed, for the person who entered its address. */
export function failureText(error: unknown): string {
  const code = codeOf(error)
  return (
    notes[code] ??
    (code.startsWith('ERR_SSL') || code === 'EPROTO'
      ? 'It speaks no TLS that this server understands: is it http instead of https?'
      : code.startsWith('HPE_')
        ? 'What came back is not HTTP.'
        : 'The connection failed.')
  )
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

const noName = 'No server has this name.'
const unreachable = 'Its network can’t be reached from here.'
const cut = 'It ended the connection without an answer.'
const untrusted = 'Nobody that this server trusts has signed its certificate.'

const notes: Readonly<Record<string, string>> = {
  ENOTFOUND: noName,
  ENODATA: noName,
  EBADNAME: noName,
  ESERVFAIL: 'The name server of this name answers with an error.',
  ETIMEOUT: 'The name server of this name does not answer.',
  EAI_AGAIN: 'The name server of this name does not answer.',
  ECONNREFUSED: 'Nothing listens there: the connection was refused.',
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EADDRNOTAVAIL: unreachable,
  ETIMEDOUT: 'It does not answer.',
  ECONNRESET: cut,
  EPIPE: cut,
  HPE_HEADER_OVERFLOW: 'The headers of its answer are too long.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  CERT_NOT_YET_VALID: 'Its certificate is not valid yet.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'It signed its certificate itself, which proves nothing.',
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_REVOKED: 'Its certificate has been revoked.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name.',
}
