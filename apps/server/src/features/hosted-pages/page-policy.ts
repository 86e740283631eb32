export interface PagePolicy {
  /** Whether an operator trusts the host. */
  readonly isTrusted: boolean
  /** The only page that may frame it; null for none. */
  readonly framedBy: string | null
  /** Whether search engines may list it. */
  readonly isFindable: boolean
}

const made = new Map<string, readonly string[]>()

/**
 * Names and values in turn. Pages run scripts, and load nothing from elsewhere, so what a visitor types stays
 * here.
 */
export function pageHeaders(policy: PagePolicy): readonly string[] {
  const { isTrusted, framedBy, isFindable } = policy
  const name = `${isTrusted} ${framedBy} ${isFindable}`
  const headers = made.get(name) ?? makeHeaders(policy)
  made.set(name, headers)
  return headers
}

function makeHeaders({ isTrusted, framedBy, isFindable }: PagePolicy): readonly string[] {
  const policy = isTrusted ? trustedPolicy : ordinaryPolicy
  const headers = [
    ['content-security-policy', `${policy}; frame-ancestors ${framedBy ?? "'none'"}`],
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'same-origin'],
    ['permissions-policy', 'camera=(), microphone=(), geolocation=()'],
    ...(framedBy === null ? [['x-frame-options', 'DENY']] : []),
    ...(isFindable ? [] : [['x-robots-tag', 'noindex']]),
  ]
  return headers.flat()
}

const ordinaryPolicy = policyOf('')
const trustedPolicy = policyOf(' https:')

function policyOf(others: string): string {
  return [
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${others}`,
    `media-src 'self' data: blob:${others}`,
    `font-src 'self' data:${others}`,
    `connect-src 'self'${others}`,
    "worker-src 'self' blob:",
    `frame-src 'self'${others}`,
    "form-action 'self'",
    "base-uri 'self'",
    "object-src 'none'",
  ].join('; ')
}
