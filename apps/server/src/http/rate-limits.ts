import { BlockList, isIPv6 } from 'node:net'
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../domain-error.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** An IPv6 customer has a whole /64 to choose addresses from. */
const ipv6Subnet = 64

/** What counts as one address. */
export function addressKey({ ip }: FastifyRequest): string {
  return normalizeIP(ip, ipv6Subnet)
}

/** Each counts one call of an address and throws `rate_limited` when there were too many. */
export interface RateLimits {
  readonly anyCall: (request: FastifyRequest) => Promise<void>
  /** Registering and demo sign-in: both make an account. */
  readonly makeAccount: (request: FastifyRequest) => Promise<void>
  readonly badDeviceToken: (request: FastifyRequest) => Promise<void>
  readonly isExempt: (request: FastifyRequest) => boolean
  readonly isExemptAddress: (ip: string) => boolean
}

export async function rateLimits(
  app: FastifyInstance,
  limitExempt: readonly string[],
): Promise<RateLimits> {
  const exempt = addressSet(limitExempt)
  const isExemptAddress = (ip: string) => exempt.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')
  const isExempt = ({ ip }: FastifyRequest) => isExemptAddress(ip)
  await app.register(rateLimit, { global: false, ipv6Subnet, allowList: isExempt })

  const limiter = (max: number, timeWindow: number) => {
    const count = app.createRateLimit({ max, timeWindow })
    return async (request: FastifyRequest) => {
      const result = await count(request)
      if (!result.isAllowed && result.isExceeded) {
        throw new DomainError('rate_limited', { retryAfterS: result.ttlInSeconds })
      }
    }
  }
  return {
    isExempt,
    isExemptAddress,
    anyCall: limiter(600, minuteMs),
    makeAccount: limiter(30, hourMs),
    badDeviceToken: limiter(60, minuteMs),
  }
}

function addressSet(addresses: readonly string[]): BlockList {
  const set = new BlockList()
  for (const address of addresses) {
    const [network = '', prefix] = address.split('/')
    const family = isIPv6(network) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) set.addAddress(network, family)
    else set.addSubnet(network, Number(prefix), family)
  }
  return set
}
