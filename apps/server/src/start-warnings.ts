import { heartbeatIntervalS, heartbeatSlackS } from '@astropelago/contract/limits'
import { isLocalName, isLoungeClosed, type Config } from './config.ts'

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])

export function startWarnings(config: Config): string[] {
  const { host, publicUrl, hasPublicUrl, onlineWindowMs, mail, relayDomain, instanceUrl } = config
  const warnings = [...config.variableWarnings]
  if (!hasPublicUrl && !loopback.has(host)) {
    warnings.push(
      'PUBLIC_URL is not set: people can sign in only at an IP address or a local network name, ' +
        'such as http://pi.lan; set it to the address that they open',
    )
  }
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:' && config.trustProxy.length === 0) {
    warnings.push(
      'PUBLIC_URL is https and TRUST_PROXY is not set: all visitors count as one, the proxy, and ' +
        'share its limits; set it to the proxy’s address',
    )
  }
  if (protocol === 'http:' && !loopback.has(hostname)) {
    warnings.push(
      'PUBLIC_URL is plain http: everybody on the network can read passwords and cookies',
    )
  }
  if (instanceUrl?.startsWith('http:') === true && !loopback.has(new URL(instanceUrl).hostname)) {
    warnings.push(
      'INSTANCE_URL is plain http: everybody on the network between the servers can read and change what ' +
        'visitors and islands exchange; set it to an https address, unless only servers that you trust are on it',
    )
  }
  if (mail !== undefined && !hasPublicUrl) {
    warnings.push(
      `PUBLIC_URL is not set: the links in e-mails begin with ${publicUrl}, which leads nowhere from another machine`,
    )
  }
  if (relayDomain !== undefined && mayShareCookies(relayDomain, hostname)) {
    warnings.push(
      `RELAY_DOMAIN ${relayDomain} and the site ${hostname} seem to belong to one registered domain: a page ` +
        'of an island can set cookies for both, which read nothing but can lock visitors out; a domain of ' +
        'its own, on the Public Suffix List, ends that',
    )
  }
  if (relayDomain !== undefined && isLoungeClosed(config)) {
    warnings.push(
      'OPERATORS is not set: nobody could moderate the Community Lounge, so visitors only read there; ' +
        'set it to your username',
    )
  }
  if (config.allowsPrivateTargets && config.registration === 'open' && !loopback.has(hostname)) {
    warnings.push(
      'ALLOW_PRIVATE_TARGETS is on and everybody may register: anybody can make this server call what is inside ' +
        'your network; set REGISTRATION to invite or closed',
    )
  }
  const neededS = heartbeatIntervalS + heartbeatSlackS
  if (onlineWindowMs < neededS * 1000) {
    warnings.push(
      `ONLINE_WINDOW_S is ${onlineWindowMs / 1000}, but the heartbeat commands that the site hands out ` +
        `report every ${heartbeatIntervalS} s or a little later: devices will go offline between two ` +
        `heartbeats; set it to ${neededS} or more`,
    )
  }
  return warnings
}

// Whether both seem to be below one registered domain. Only the Public Suffix List knows for sure: short
// names, such as those in co.uk and com.au, are taken for suffixes.
function mayShareCookies(one: string, other: string): boolean {
  if (isLocalName(one) || isLocalName(other)) return false
  return registeredDomain(one) === registeredDomain(other)
}

function registeredDomain(name: string): string {
  const hasSuffixOfTwo = /(?:^|\.)[a-z]{2,3}\.[a-z]{2}$/.test(name)
  return name
    .split('.')
    .slice(hasSuffixOfTwo ? -3 : -2)
    .join('.')
}
