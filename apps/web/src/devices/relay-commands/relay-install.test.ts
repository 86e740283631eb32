import { expect, test } from 'vitest'
import { agentOptions, type HomeService, shellQuoting } from './relay-install.ts'
import { sampleInstall } from './testing/agent-server.ts'

const { islandId } = sampleInstall

const folder = (path: string): HomeService => ({ kind: 'folder', path })

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
