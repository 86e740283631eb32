import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'

/** Whether this machine lets this user make network namespaces: Linux, as root, with `ip`. */
export function canMakeNamespaces(): boolean {
  try {
    execFileSync('ip', ['netns', 'add', 'astropelago-try'], { stdio: 'ignore' })
    execFileSync('ip', ['netns', 'delete', 'astropelago-try'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The internet in one namespace, which routes between hosts in namespaces of their own, and this machine. */
export class TestInternet {
  readonly #name = `ap${process.pid}`
  readonly #cuts = new Map<string, readonly string[]>()
  /** Where this machine reaches what listens on the internet's own host. */
  readonly address: string

  constructor() {
    const network = `10.213.${process.pid % 256}`
    this.address = `${network}.2`
    this.#addNamespace('core')
    this.#link(`${this.#name}r`, 'root', `${network}.1/30`, 'up0', `${this.address}/30`)
    const forward = 'echo 1 > /proc/sys/net/ipv4/ip_forward'
    execFileSync('ip', [...this.exec('core'), 'sh', '-c', forward])
  }

  /** The beginning of a command that runs in a namespace. */
  exec(host: string): readonly string[] {
    return ['netns', 'exec', `${this.#name}-${host}`]
  }

  /** Adds a host at `<network>.2`, whose gateway is `<network>.1`. */
  addHost(host: string, network: string, ...more: readonly string[]): void {
    this.#addNamespace(host)
    this.#link('eth0', host, `${network}.2/24`, `to-${host}`, `${network}.1/24`)
    for (const address of more) this.#ip(host, 'address', 'add', `${address}/24`, 'dev', 'eth0')
    this.#ip(host, 'route', 'add', 'default', 'via', `${network}.1`)
  }

  /** Nothing passes from a network to an address, without a word. Without a network, from anywhere. */
  cut(to: string, from?: string): void {
    const rule = [...(from === undefined ? [] : ['from', `${from}.0/24`]), 'to', to, 'blackhole']
    this.#ip('core', 'rule', 'add', 'pref', '10', ...rule)
    this.#cuts.set(`${from} ${to}`, rule)
  }

  mend(to: string, from?: string): void {
    this.#ip('core', 'rule', 'delete', 'pref', '10', ...(this.#cuts.get(`${from} ${to}`) ?? []))
  }

  #addNamespace(host: string): void {
    const name = `${this.#name}-${host}`
    execFileSync('ip', ['netns', 'add', name])
    onTestFinished(() => void execFileSync('ip', ['netns', 'delete', name]))
    this.#ip(host, 'link', 'set', 'lo', 'up')
  }

  #link(name: string, host: string, address: string, coreName: string, coreAddress: string): void {
    const peer = host === 'root' ? [] : ['netns', `${this.#name}-${host}`]
    if (host === 'root') {
      const core = `${this.#name}-core`
      execFileSync('ip', ['link', 'add', name, 'type', 'veth', 'peer', coreName, 'netns', core])
    } else this.#ip('core', 'link', 'add', coreName, 'type', 'veth', 'peer', name, ...peer)
    this.#raise(host, name, address)
    this.#raise('core', coreName, coreAddress)
  }

  #raise(host: string, link: string, address: string): void {
    this.#ip(host, 'address', 'add', address, 'dev', link)
    this.#ip(host, 'link', 'set', link, 'up')
  }

  #ip(host: string, ...command: readonly string[]): void {
    const where = host === 'root' ? [] : ['-n', `${this.#name}-${host}`]
    execFileSync('ip', [...where, ...command], { stdio: ['ignore', 'ignore', 'inherit'] })
  }
}
