import { expect, test } from 'vitest'
import { agentOptions, type HomeService, serviceProblem, shellQuoting } from './relay-install.ts'
import { sampleInstall } from './testing/agent-server.ts'

const { islandId } = sampleInstall

const address = (url: string): HomeService => ({ kind: 'address', url })
const folder = (path: string): HomeService => ({ kind: 'folder', path })

test.each([
  address('http://localhost:8080'),
  address('https://192.168.0.7/'),
  address('http://[::1]:3000'),
  folder('~/site'),
  folder('~'),
  folder('/srv/my site'),
  folder(String.raw`C:\Users\nova\site`),
])('can be hosted: %o', (service) => {
  expect(serviceProblem(service)).toBeUndefined()
})

test.each([
  address('localhost:8080'),
  address('8080'),
  address(''),
  address('ftp://localhost'),
  address('http://localhost:8080/app'),
  address('http://a:b@localhost'),
  folder('site'),
  folder('../site'),
  folder(''),
  folder('~nova/site'),
  folder('/a"b'),
  folder('/a\nb'),
])('can’t be hosted, and the field says what to write: %o', (service) => {
  expect(serviceProblem(service)).toMatch(/^Write .*\.$/)
})

test('the agent’s options name the server, what it carries and its token file', () => {
  expect(agentOptions(sampleInstall, 'T', shellQuoting)).toBe(
    `--server https://sky.example --to http://localhost:8080 --island ${islandId} --token-file T`,
  )
  const site = {
    ...sampleInstall,
    service: { ...folder("~/it's"), isListing: true },
    tcp: 'localhost:25565',
  }
  expect(agentOptions(site, 'T', shellQuoting)).toBe(
    `--server https://sky.example --folder "$HOME"/'it'\\''s' --list --tcp localhost:25565 --island ${islandId} --token-file T`,
  )
  const home = { ...sampleInstall, service: folder('~/') }
  expect(agentOptions(home, 'T', shellQuoting)).toContain('--folder "$HOME" ')
})
